-- Pools of tokens that the wallets created. Anybody can announce anything as a pool of a token, so those of registered factories
-- come first, then those with the most traders, over all pairs of a pool with more than two tokens.
WITH made AS (
  SELECT root_creator, contract FROM {deployer_contracts_table:Identifier}
  WHERE network = {network:String} AND root_creator IN {addresses:Array(String)}
), announced AS (
  SELECT pool, kind, token0, token1, block_time, factory IN {factories:Array(String)} AS known
  FROM {pools_table:Identifier}
  WHERE network = {network:String} AND (token0 IN (SELECT contract FROM made) OR token1 IN (SELECT contract FROM made))
)
SELECT
  d.root_creator AS address, p.pool AS pool, p.kind AS kind, d.contract AS token, p.token0 = d.contract AS token_is_0,
  if(p.token0 = d.contract, p.token1, p.token0) AS base, toUnixTimestamp(p.block_time) AS created_at, p.known AS registered
FROM announced AS p
INNER JOIN made AS d ON d.contract = p.token0 OR d.contract = p.token1
LEFT JOIN (
  SELECT splitByChar(':', s.pool)[1] AS whole, uniq(initiator) AS traders
  FROM {swaps_table:Identifier} AS s
  WHERE network = {network:String} AND s.pool IN (SELECT arrayJoin([pool, splitByChar(':', pool)[1]]) FROM announced)
  GROUP BY whole
) AS t ON t.whole = splitByChar(':', p.pool)[1]
ORDER BY address, registered DESC, t.traders DESC, pool
LIMIT {limit:UInt32} BY address
