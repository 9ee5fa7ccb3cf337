-- NFTs that came to the wallets and left them again, at least `least` times each way.
SELECT address, asset, toString(token_id) AS token_id
FROM {ledger_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND kind = 'nft'
  AND counterparty NOT IN ('', '0x0000000000000000000000000000000000000000') AND counterparty != address
GROUP BY address, asset, token_id
HAVING countIf(direction = 1) >= {least:UInt32} AND countIf(direction = -1) >= {least:UInt32}
ORDER BY address, count() DESC, asset, token_id
LIMIT 20 BY address
