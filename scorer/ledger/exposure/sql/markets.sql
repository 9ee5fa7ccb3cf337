-- Which of some contracts that were announced as pools strangers trade in. Of each: by whom the accounts that brought something of worth
-- in a transaction with a swap were first funded, how much of it the largest of them brought (0 to 1), and the days between the first
-- and the last.
SELECT b.pool AS pool, toFloat64(uniqExact(f.funder)) AS funders, max(b.usd) / sum(b.usd) AS largest,
  (max(b.last) - min(b.first)) / 86400 AS days
FROM (
  SELECT address AS pool, initiator, min(toUnixTimestamp(block_time)) AS first, max(toUnixTimestamp(block_time)) AS last,
    sum(toFloat64(amount) * transform(asset, {assets:Array(String)}, {units:Array(Float64)}, 0.)) AS usd
  FROM {ledger_table:Identifier}
  WHERE network = {network:String} AND address IN {pools:Array(String)} AND direction = 1 AND block_number <= {head:UInt32}
    AND asset IN {assets:Array(String)} AND kind IN ('native', 'internal', 'fungible') AND (address, tx_hash) IN (
      SELECT pool, tx_hash FROM {swaps_table:Identifier} WHERE network = {network:String} AND pool IN {pools:Array(String)}
    )
  GROUP BY address, initiator
  HAVING usd >= {least:Float64}
) AS b
INNER JOIN (
  SELECT address, funder
  FROM {wallet_features_table:Identifier}
  WHERE network = {network:String} AND funder != '' AND address IN (
    SELECT initiator FROM {swaps_table:Identifier} WHERE network = {network:String} AND pool IN {pools:Array(String)}
  )
) AS f ON f.address = b.initiator
GROUP BY b.pool
