-- Largest holders of an asset by the ledger.
SELECT address, toString(sum(received) - sum(sent)) AS held
FROM (
  SELECT address, amount_in AS received, amount_out AS sent FROM asset_holders
  WHERE network = {network:String} AND asset = {asset:String}
  UNION ALL
  SELECT address, amount_in AS received, amount_out AS sent FROM wallet_assets_hot
  WHERE network = {network:String} AND asset = {asset:String}
)
GROUP BY address
HAVING sum(received) > sum(sent)
ORDER BY sum(received) - sum(sent) DESC
LIMIT {limit:UInt32}
