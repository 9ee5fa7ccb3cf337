-- Prices of valued assets in a dollar coin or the wrapped native coin: the median of the newest swaps of each pool of a known factory,
-- weighted by the amount paid, so that a new pool does not determine the price. Only the factory's announcement determines the tokens of a
-- pool: anybody can announce somebody else's pool with other tokens.
SELECT t.asset AS asset, t.in_native AS in_native,
  quantileExactWeighted(0.5)(t.paid / t.bought, toUInt64(least(t.paid * 1000, 1e15))) AS price,
  toFloat64(sum(toUInt64(least(t.paid * 1000, 1e15)))) / 1000 AS traded
FROM (
  SELECT
    if(p.pays0, p.token1, p.token0) AS asset, p.in_native AS in_native,
    toFloat64(abs(if(p.pays0, s.amount0, s.amount1)))
      / pow(10, transform(if(p.pays0, p.token0, p.token1), {assets:Array(String)}, {decimals:Array(UInt8)}, 18)) AS paid,
    toFloat64(abs(if(p.pays0, s.amount1, s.amount0)))
      / pow(10, transform(if(p.pays0, p.token1, p.token0), {assets:Array(String)}, {decimals:Array(UInt8)}, 18)) AS bought
  FROM (
    SELECT pool, amount0, amount1
    FROM swaps_all
    WHERE network = {network:String} AND pool IN {pools:Array(String)} AND block_number <= {head:UInt32}
      AND block_time >= toDateTime({since:UInt32}, 'UTC') AND block_time <= toDateTime({until:UInt32}, 'UTC')
      AND ((amount0 > 0 AND amount1 < 0) OR (amount0 < 0 AND amount1 > 0))
    ORDER BY pool, block_time DESC, position DESC
    LIMIT {per_pool:UInt32} BY pool
  ) AS s
  INNER JOIN (
    SELECT pool, any(t0) AS token0, any(t1) AS token1,
      NOT (token0 IN {stables:Array(String)} OR token1 IN {stables:Array(String)}) AS in_native,
      if(in_native, token0 = {wrapped:String}, token0 IN {stables:Array(String)}) AS pays0
    FROM (
      SELECT pool, if(token0 = '', {wrapped:String}, token0) AS t0, token1 AS t1
      FROM pools_all
      WHERE network = {network:String} AND pool IN {pools:Array(String)} AND factory IN {factories:Array(String)}
    )
    GROUP BY pool
  ) AS p ON p.pool = s.pool
) AS t
WHERE t.paid * 1000 >= 1
GROUP BY asset, in_native
ORDER BY asset, in_native
