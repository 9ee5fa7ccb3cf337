-- The newest contracts of the wallets, at most `limit` each.
SELECT root_creator AS address, contract
FROM {unmerged_deployer_contracts_table:Identifier}
WHERE network = {network:String} AND root_creator IN {addresses:Array(String)}
GROUP BY root_creator, contract
ORDER BY root_creator, min(position) DESC
LIMIT {limit:UInt32} BY root_creator
