-- Direct dealings with flagged addresses: labelled with confidence of `least` or more, or listed now. Only the wallets'
-- own counterparties are looked up among labels and listings, so that long lists cost nothing.
WITH dealt AS (
  SELECT DISTINCT counterparty
  FROM wallet_edges_all
  WHERE network = {network:String} AND address IN {addresses:Array(String)}
)
SELECT
  e.address AS address, e.counterparty AS counterparty,
  toFloat64(e.native_in) AS native_in, toFloat64(e.native_out) AS native_out,
  toFloat64(e.token_in_count) AS token_in, toFloat64(e.token_out_count) AS token_out, toFloat64(e.own) AS own
FROM wallet_edges_all AS e
WHERE e.network = {network:String} AND e.address IN {addresses:Array(String)} AND e.counterparty IN (
  SELECT address FROM current_labels
  WHERE network = {network:String} AND address IN (SELECT counterparty FROM dealt)
    AND confidence >= {least:Float32} AND label NOT IN ('service', 'mixer')
  UNION ALL
  SELECT subject FROM authority_listings_all
  WHERE network = {network:String} AND subject IN (SELECT counterparty FROM dealt) AND listed = 1
)
