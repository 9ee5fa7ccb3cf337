-- Balances of a dollar coin or the wrapped native coin in pools, by the asset on the other side: the most that all of it could be sold for.
-- Limited to pools that hold their own tokens. The balance is inflow minus outflow, because pool events do not include fees that are
-- collected.
-- Only the factory's announcement determines the tokens of a pool: anybody can announce somebody else's pool with other tokens.
SELECT if(pays0, t1, t0) AS asset, if(pays0, t0, t1) AS against, sum(balance) AS held
FROM (
  SELECT p.t0 AS t0, p.t1 AS t1, p.pays0 AS pays0, greatest(0., toFloat64(b.amount_in) - toFloat64(b.amount_out)) AS balance
  FROM (
    SELECT pool, if(any(a.token0) = '', {wrapped:String}, any(a.token0)) AS t0, any(a.token1) AS t1, t0 IN {anchors:Array(String)} AS pays0
    FROM {pools_table:Identifier} AS a
    WHERE network = {network:String} AND pool IN {pools:Array(String)} AND factory IN {factories:Array(String)}
      AND kind IN ('v2', 'v3', 'solidly')
    GROUP BY pool
    HAVING pays0 != (t1 IN {anchors:Array(String)})
  ) AS p
  INNER JOIN (
    SELECT address, asset, amount_in, amount_out
    FROM {wallet_assets_table:Identifier}
    WHERE network = {network:String} AND address IN {pools:Array(String)} AND asset IN {anchors:Array(String)}
  ) AS b ON b.address = p.pool AND b.asset = if(p.pays0, p.t0, p.t1)
)
GROUP BY asset, against
