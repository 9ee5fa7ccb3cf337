-- Addresses that moved the tokens, at most `limit` per token.
SELECT DISTINCT asset AS token, address
FROM asset_holders
WHERE network = {network:String} AND asset IN {tokens:Array(String)}
ORDER BY asset, address
LIMIT {limit:UInt32} BY asset
