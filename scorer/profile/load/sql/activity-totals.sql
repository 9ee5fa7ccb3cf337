-- Activity totals from the feature states. Fees in base units of the native coin.
SELECT
  w.address AS address,
  toUnixTimestamp(min(w.first_seen)) AS first_seen,
  toFloat64(sum(w.sent) + sum(w.received)) AS transactions,
  toFloat64(sum(w.fees)) AS fees,
  toFloat64(sum(w.nft_in_count)) - toFloat64(sum(w.nft_out_count)) AS nfts,
  toFloat64(sum(w.lp_adds)) - toFloat64(sum(w.lp_removes)) AS liquidity
FROM (
  SELECT address, first_seen, sent, received, fees, nft_in_count, nft_out_count, lp_adds, lp_removes
  FROM {unmerged_wallet_features_table:Identifier}
  WHERE network = {network:String} AND address IN {addresses:Array(String)}
) AS w
GROUP BY address
