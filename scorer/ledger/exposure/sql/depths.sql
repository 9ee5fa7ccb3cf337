-- What pools hold of a dollar coin or the wrapped native coin, against which of the other assets: the most that all of it could be sold for.
-- Only of designs whose events state what is added and removed: elsewhere what swaps brought may have left again unseen.
-- Which coins a pool holds is its factory's word: anybody can announce somebody else's pool with other coins.
SELECT if(pays0, t1, t0) AS asset, if(pays0, t0, t1) AS against,
  greatest(0., toFloat64(sum(if(pays0, added0 - removed0 + swapped0, added1 - removed1 + swapped1)))) AS held
FROM (
  SELECT if(p.token0 = '', {wrapped:String}, p.token0) AS t0, p.token1 AS t1,
    s.added0 AS added0, s.added1 AS added1, s.removed0 AS removed0, s.removed1 AS removed1,
    s.swapped0 AS swapped0, s.swapped1 AS swapped1,
    NOT (t0 IN {anchors:Array(String)} AND t1 IN {anchors:Array(String)}) AS one_side, t0 IN {anchors:Array(String)} AS pays0
  FROM (
    SELECT pool, added0, added1, removed0, removed1, swapped0, swapped1
    FROM {pool_state_table:Identifier}
    WHERE network = {network:String} AND pool IN {pools:Array(String)}
  ) AS s
  INNER JOIN (
    SELECT pool, any(a.token0) AS token0, any(a.token1) AS token1
    FROM {pools_table:Identifier} AS a
    WHERE network = {network:String} AND pool IN {pools:Array(String)} AND factory IN {factories:Array(String)}
      AND kind IN ('v2', 'v3', 'solidly')
    GROUP BY pool
  ) AS p ON p.pool = s.pool
  WHERE t0 IN {anchors:Array(String)} OR t1 IN {anchors:Array(String)}
)
WHERE one_side
GROUP BY asset, against
