-- What the wallets hold of each asset that has a value or is a position, and how many assets they hold beside these.
SELECT
  w.address AS address,
  if(w.asset IN {assets:Array(String)} OR w.asset IN {positions:Array(String)}, w.asset, '#other') AS asset,
  if(asset = '#other', 0., toFloat64(sum(toInt256(w.amount_in) - toInt256(w.amount_out)))) AS balance,
  toFloat64(countIf(w.amount_in > w.amount_out)) AS held
FROM (
  SELECT address, asset, amount_in, amount_out
  FROM wallet_assets_all
  WHERE network = {network:String} AND address IN {addresses:Array(String)}
) AS w
GROUP BY address, asset
ORDER BY address, asset
