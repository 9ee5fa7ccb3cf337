-- Pools of a token from events of known exchanges, including pools found from before the first covered block. Pools
-- against registered assets come first, then those with most swaps.
WITH known AS (
  SELECT pool, any(p.kind) AS kind, any(p.factory) AS factory, any(p.token0) AS token0, any(p.token1) AS token1,
    any(p.fee) AS fee, any(p.hooks) AS hooks, any(p.tx_hash) AS announced
  FROM pools_whole AS p
  WHERE network = {network:String} AND (p.token0 = {token:String} OR p.token1 = {token:String})
    AND p.factory IN {factories:Array(String)}
  GROUP BY pool
)
SELECT k.pool AS pool, toString(k.kind) AS kind, k.factory AS factory, k.token0 AS token0, k.token1 AS token1, k.fee AS fee, k.hooks AS hooks,
  k.announced AS announced
FROM known AS k
LEFT JOIN (
  SELECT pool, swaps FROM pool_state_all
  WHERE network = {network:String} AND pool IN (SELECT pool FROM known)
) AS s ON s.pool = k.pool
ORDER BY if(k.token0 = {token:String}, k.token1, k.token0) IN {assets:Array(String)} DESC, s.swaps DESC, k.pool
LIMIT {limit:UInt32}
