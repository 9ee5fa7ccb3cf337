-- Balances of assets that have a value or are a position, and the number of other assets held.
SELECT
  w.address AS address,
  if(w.asset IN {assets:Array(String)} OR w.asset IN {positions:Array(String)}, w.asset, '#other') AS asset,
  if(asset = '#other', 0., toFloat64(sum(w.balance))) AS balance,
  toFloat64(countIf(w.balance > 0)) AS held
FROM (
  SELECT address, asset, toInt256(sum(amount_in)) - toInt256(sum(amount_out)) AS balance
  FROM {unmerged_wallet_assets_table:Identifier}
  WHERE network = {network:String} AND address IN {addresses:Array(String)}
  GROUP BY address, asset
) AS w
GROUP BY address, asset
ORDER BY address, asset
