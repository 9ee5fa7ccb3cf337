-- What pools hold of a dollar coin or the wrapped native coin, against which of the other assets: the most that all of it could be sold for.
-- Only of designs whose events state what is added and removed: elsewhere what swaps brought may have left again unseen.
SELECT if(pays0, t1, t0) AS asset, if(pays0, t0, t1) AS against,
  greatest(0., toFloat64(sum(if(pays0, added0 - removed0 + swapped0, added1 - removed1 + swapped1)))) AS held
FROM (
  SELECT if(token0 = '', {wrapped:String}, token0) AS t0, token1 AS t1, added0, added1, removed0, removed1, swapped0, swapped1,
    NOT (t0 IN {anchors:Array(String)} AND t1 IN {anchors:Array(String)}) AS one_side, t0 IN {anchors:Array(String)} AS pays0
  FROM {pool_state_table:Identifier}
  WHERE network = {network:String} AND pool IN {pools:Array(String)} AND kind IN ('v2', 'v3', 'solidly')
    AND (t0 IN {anchors:Array(String)} OR t1 IN {anchors:Array(String)})
)
WHERE one_side
GROUP BY asset, against
