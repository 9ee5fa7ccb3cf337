-- Direct dealings with flagged addresses: accused by a label of confidence `least` or more and vouched for by none, or
-- listed now. Only the wallets' own counterparties are looked up among labels and listings, so that long lists cost nothing.
-- `edges` is wallet_edges or wallet_edges_all, `listings` is authority_listings_final or authority_listings_all.
WITH dealt AS (
  SELECT DISTINCT counterparty
  FROM {edges:Identifier}
  WHERE network = {network:String} AND address IN {addresses:Array(String)}
)
SELECT
  address, counterparty,
  toFloat64(sum(e.native_in)) AS native_in, toFloat64(sum(e.native_out)) AS native_out,
  toFloat64(sum(e.token_in_count)) AS token_in, toFloat64(sum(e.token_out_count)) AS token_out, toFloat64(sum(e.own)) AS own
FROM {edges:Identifier} AS e
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND counterparty IN (
  SELECT address FROM current_labels
  WHERE network = {network:String} AND address IN (SELECT counterparty FROM dealt)
    AND address NOT IN {infrastructure:Array(String)}
  GROUP BY address
  HAVING countIf(confidence >= {least:Float32} AND label IN {fraud:Array(String)}
      AND (label != 'sanctioned' OR address NOT IN (
        SELECT address FROM current_labels
        WHERE network = {network:String} AND address IN (SELECT counterparty FROM dealt) AND label = 'delisted'))) > 0
    AND countIf(confidence >= {vouched:Float32} AND label IN {guards:Array(String)}) = 0
  UNION ALL
  SELECT subject FROM {listings:Identifier}
  WHERE network = {network:String} AND subject IN (SELECT counterparty FROM dealt) AND listed = 1
)
GROUP BY address, counterparty
