-- Pools of known factories that trade a valued asset against a dollar coin or the wrapped native coin, not two dollar coins.
-- A hook can pay back what a swap cost, so pools that have one can state any price.
SELECT DISTINCT pool
FROM (
  SELECT pool, if(token0 = '', {wrapped:String}, token0) AS t0, token1 AS t1
  FROM pools_all
  WHERE network = {network:String} AND factory IN {factories:Array(String)} AND hooks = '' AND block_number <= {head:UInt32}
    AND token1 IN {assets:Array(String)} AND (token0 = '' OR token0 IN {assets:Array(String)})
)
WHERE (t0 IN {stables:Array(String)} OR t1 IN {stables:Array(String)} OR t0 = {wrapped:String} OR t1 = {wrapped:String})
  AND NOT (t0 IN {stables:Array(String)} AND t1 IN {stables:Array(String)})
ORDER BY pool
