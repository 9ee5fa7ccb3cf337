-- Contracts of the wallets with at least `least` approvers, and when they were created.
SELECT d.root_creator AS address, d.contract AS contract, toUnixTimestamp(d.created_at) AS created_at
FROM {deployer_contracts_table:Identifier} AS d
WHERE d.network = {network:String} AND d.root_creator IN {addresses:Array(String)}
  AND d.contract IN (
    SELECT address FROM {wallet_features_table:Identifier}
    WHERE network = {network:String} AND approvers >= {least:UInt32}
      AND address IN (SELECT contract FROM {deployer_contracts_table:Identifier} WHERE network = {network:String} AND root_creator IN {addresses:Array(String)})
  )
ORDER BY address, contract
