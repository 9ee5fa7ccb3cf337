-- Pools of known factories that trade a valued asset against a dollar coin or the native coin, wrapped or not, and not two dollar coins.
-- `anchors` are these coins. The native coin, the empty string, is a first token only.
-- A hook can pay back what a swap cost, so pools that have one can state any price.
SELECT DISTINCT pool
FROM pools_all
WHERE network = {network:String} AND factory IN {factories:Array(String)} AND hooks = '' AND block_number <= {head:UInt32}
  AND token0 IN {assets:Array(String)} AND token1 IN {assets:Array(String)} AND token1 != ''
  AND (token0 IN {anchors:Array(String)} OR token1 IN {anchors:Array(String)})
  AND NOT (token0 IN {stables:Array(String)} AND token1 IN {stables:Array(String)})
ORDER BY pool
