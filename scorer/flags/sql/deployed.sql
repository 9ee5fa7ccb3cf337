-- The newest contracts of the wallets, at most `limit` each.
SELECT root_creator AS address, contract
FROM deployer_contracts_all
WHERE network = {network:String} AND root_creator IN {addresses:Array(String)}
ORDER BY root_creator, position DESC
LIMIT {limit:UInt32} BY root_creator
