-- Direct dealings with flagged addresses among the `suspects`: accused by a label of confidence `least` or more and
-- vouched for by none, or listed now.
SELECT
  address, counterparty,
  toFloat64(sum(e.native_in)) AS native_in, toFloat64(sum(e.native_out)) AS native_out,
  toFloat64(sum(e.token_in_count)) AS token_in, toFloat64(sum(e.token_out_count)) AS token_out, toFloat64(sum(e.own)) AS own
FROM {unmerged_wallet_edges_table:Identifier} AS e
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND counterparty IN (
  SELECT address FROM current_labels
  WHERE network = {network:String} AND address IN {suspects:Array(String)}
    AND address NOT IN {infrastructure:Array(String)}
  GROUP BY address
  HAVING countIf(confidence >= {least:Float32} AND label IN {fraud:Array(String)}
      AND (label != 'sanctioned' OR address NOT IN (
        SELECT address FROM current_labels
        WHERE network = {network:String} AND address IN {suspects:Array(String)} AND label = 'delisted'))) > 0
    AND countIf(confidence >= {vouched:Float32} AND label IN {guards:Array(String)}) = 0
  UNION ALL
  SELECT subject FROM {authority_listings_table:Identifier}
  WHERE network = {network:String} AND subject IN {suspects:Array(String)} AND listed = 1
)
GROUP BY address, counterparty
