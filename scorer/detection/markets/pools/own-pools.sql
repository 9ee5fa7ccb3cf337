-- Pools of tokens the wallets created: which token is theirs and when the pool appeared.
SELECT
  d.root_creator AS address, p.pool AS pool, p.kind AS kind, d.contract AS token, p.token0 = d.contract AS token_is_0,
  if(p.token0 = d.contract, p.token1, p.token0) AS base, toUnixTimestamp(p.block_time) AS created_at
FROM {pools_table:Identifier} AS p
INNER JOIN (
  SELECT root_creator, contract FROM {deployer_contracts_table:Identifier}
  WHERE network = {network:String} AND root_creator IN {addresses:Array(String)}
) AS d ON d.contract = p.token0 OR d.contract = p.token1
WHERE p.network = {network:String}
  AND (p.token0 IN (SELECT contract FROM {deployer_contracts_table:Identifier} WHERE network = {network:String} AND root_creator IN {addresses:Array(String)})
    OR p.token1 IN (SELECT contract FROM {deployer_contracts_table:Identifier} WHERE network = {network:String} AND root_creator IN {addresses:Array(String)}))
ORDER BY address, pool
LIMIT 100 BY address
