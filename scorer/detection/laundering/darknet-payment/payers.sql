-- Payers of the wallets.
SELECT address, counterparty
FROM {wallet_edges_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND native_in_count + token_in_count > 0
ORDER BY address, counterparty
LIMIT 200 BY address
