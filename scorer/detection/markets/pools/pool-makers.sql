-- Pools with the makers of their tokens, in the shape of own-pools.sql.
SELECT
  c.maker AS address, p.pool AS pool, p.kind AS kind, c.token AS token, p.token0 = c.token AS token_is_0,
  if(p.token0 = c.token, p.token1, p.token0) AS base, toUnixTimestamp(p.block_time) AS created_at,
  p.factory IN {factories:Array(String)} AS registered
FROM {pools_table:Identifier} AS p
INNER JOIN (
  SELECT contract AS token, argMin(root_creator, position) AS maker
  FROM {creations_table:Identifier}
  WHERE network = {network:String} AND event = 'create' AND root_creator != '' AND contract IN (
    SELECT arrayJoin([token0, token1]) FROM {pools_table:Identifier} WHERE network = {network:String} AND pool IN {pools:Array(String)})
  GROUP BY contract
) AS c ON c.token = p.token0 OR c.token = p.token1
WHERE p.network = {network:String} AND p.pool IN {pools:Array(String)}
ORDER BY address, registered DESC, pool
