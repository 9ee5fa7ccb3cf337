-- Dealings of the wallets with the suspects.
SELECT
  address, counterparty,
  toFloat64(sum(e.native_in)) AS native_in, toFloat64(sum(e.native_out)) AS native_out, toString(sum(e.native_out)) AS paid,
  toFloat64(sum(e.token_in_count)) AS token_in, toFloat64(sum(e.token_out_count)) AS token_out, toFloat64(sum(e.own)) AS own
FROM {unmerged_wallet_edges_table:Identifier} AS e
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND counterparty IN {suspects:Array(String)}
GROUP BY address, counterparty
