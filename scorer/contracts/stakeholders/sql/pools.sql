-- Pools of a token from events of known exchanges, including pools found from before the first covered block.
SELECT pool, toString(any(p.kind)) AS kind, any(p.factory) AS factory, any(p.token0) AS token0, any(p.token1) AS token1, any(p.fee) AS fee,
  any(p.hooks) AS hooks, any(p.tx_hash) AS announced
FROM pools_whole AS p
WHERE network = {network:String} AND (p.token0 = {token:String} OR p.token1 = {token:String})
  AND p.factory IN {factories:Array(String)}
GROUP BY pool
LIMIT {limit:UInt32}
