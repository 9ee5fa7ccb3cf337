-- Contracts among the newest `counted` of each wallet that were called, paid, approved or seen as a token; at most `limit` each.
WITH made AS (
  SELECT root_creator, contract
  FROM {unmerged_deployer_contracts_table:Identifier}
  WHERE network = {network:String} AND root_creator IN {addresses:Array(String)}
  GROUP BY root_creator, contract
  ORDER BY root_creator, min(position) DESC
  LIMIT {counted:UInt32} BY root_creator
)
SELECT root_creator AS address, contract
FROM made
WHERE contract IN (
  SELECT address FROM {wallet_features_table:Identifier}
  WHERE network = {network:String} AND address IN (SELECT contract FROM made)
    AND (received > 0 OR approvers > 0 OR native_in_count + token_in_count + token_out_count > 0)
  UNION ALL
  SELECT token FROM {tokens_table:Identifier} WHERE network = {network:String} AND token IN (SELECT contract FROM made)
)
ORDER BY address, contract
LIMIT {limit:UInt32} BY address
