-- The newest contracts created by an account, with the total number.
SELECT contract, toUnixTimestamp(created_at) AS created, code_hash, toFloat64(count() OVER ()) AS total
FROM {deployer_contracts_table:Identifier}
WHERE network = {network:String} AND root_creator = {address:String}
ORDER BY position DESC, contract
LIMIT {most:UInt32}
