-- Pools of known factories that trade a valued asset against a dollar coin or the native coin (`anchors`), wrapped or not, but not
-- two dollar coins. The native coin, an empty string, can only be the first token. Excludes pools with hooks: a hook can refund the
-- cost of a swap, so such pools can show any price.
SELECT DISTINCT pool
FROM pools_all
WHERE network = {network:String} AND factory IN {factories:Array(String)} AND hooks = '' AND block_number <= {head:UInt32}
  AND token0 IN {assets:Array(String)} AND token1 IN {assets:Array(String)} AND token1 != ''
  AND (token0 IN {anchors:Array(String)} OR token1 IN {anchors:Array(String)})
  AND NOT (token0 IN {stables:Array(String)} AND token1 IN {stables:Array(String)})
ORDER BY pool
