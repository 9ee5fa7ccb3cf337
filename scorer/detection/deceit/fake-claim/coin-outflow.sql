-- Largest receivers of the contracts' native coins, with amounts in base units.
SELECT address AS contract, counterparty AS taker, toString(native_out) AS amount
FROM {wallet_edges_table:Identifier}
WHERE network = {network:String} AND address IN {contracts:Array(String)} AND native_out > 0
ORDER BY contract, native_out DESC
LIMIT 50 BY contract
