-- Largest holders of an asset by what the ledger says.
SELECT address, toString(amount_in - amount_out) AS held
FROM wallet_assets_all
WHERE network = {network:String} AND asset = {asset:String} AND amount_in > amount_out
ORDER BY amount_in - amount_out DESC
LIMIT {limit:UInt32}
