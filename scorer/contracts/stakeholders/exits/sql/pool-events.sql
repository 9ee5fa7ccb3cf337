-- Events of some pools in chain order; amounts are from the pool's view: positive came in. Liquidity events of V4 pools
-- have no amounts. A swap that states its tokens belongs to the pool of these two (schema/pairs.ts).
-- Anyone may fill the tables with tiny events, so the largest are kept, not the newest: liquidity events by amount,
-- swaps by value (`units`: USD per base unit of each pool's base asset), and an account's swaps summed by hour.
-- `largest` is the amount of the named transaction. Swaps beyond the limit are summed by hour without an account.
WITH
  swapped AS (
    SELECT if(s.factory = '', s.pool, transform(concat(s.pool, ':', s.token0, ':', s.token1), {stated:Array(String)}, {statedOf:Array(String)}, '')) AS of_pool,
      initiator, tx_hash, block_time, position, amount0, amount1, if(of_pool IN {token_first:Array(String)}, amount1, amount0) AS base,
      toFloat64(abs(base)) * transform(of_pool, {statedOf:Array(String)}, {units:Array(Float64)}, 0.) AS value
    FROM swaps_all AS s
    WHERE network = {network:String} AND s.pool IN {traded:Array(String)} AND block_time >= toDateTime({since:UInt32}, 'UTC')
    ORDER BY value DESC, position DESC
    LIMIT {most_swaps:UInt32}
  ),
  hourly AS (
    SELECT of_pool, initiator, argMax(tx_hash, abs(base)) AS largest_tx, min(block_time) AS began, max(position) AS at,
      sum(amount0) AS sum0, sum(amount1) AS sum1, argMax(base, abs(base)) AS largest_base,
      row_number() OVER (PARTITION BY of_pool ORDER BY abs(sum(base)) DESC, max(position) DESC) <= {most:UInt32} AS is_named
    FROM swapped
    WHERE of_pool IN {pools:Array(String)}
    GROUP BY of_pool, initiator, toStartOfHour(block_time)
  )
SELECT pool, event, actor, owner, tx_hash, time, toString(at) AS position, toString(in0) AS amount0, toString(in1) AS amount1,
  toString(named) AS largest
FROM (
  SELECT pool, toString(event) AS event, provider AS actor, owner, tx_hash, toUnixTimestamp(block_time) AS time, position AS at,
    if(event = 'add', abs(amount0), -abs(amount0)) AS in0, if(event = 'add', abs(amount1), -abs(amount1)) AS in1,
    if(pool IN {token_first:Array(String)}, in1, in0) AS named
  FROM liquidity_all
  WHERE network = {network:String} AND pool IN {pools:Array(String)} AND block_time >= toDateTime({since:UInt32}, 'UTC')
  ORDER BY abs(named) DESC, abs(liquidity) DESC, at DESC
  LIMIT {most:UInt32} BY pool
  UNION ALL
  SELECT of_pool AS pool, 'swap' AS event, if(is_named, initiator, '') AS actor, '' AS owner, argMax(largest_tx, h.at) AS tx_hash,
    toUnixTimestamp(min(began)) AS time, max(h.at) AS at, sum(sum0) AS in0, sum(sum1) AS in1, any(largest_base) AS named
  FROM hourly AS h
  GROUP BY pool, actor, toStartOfHour(began)
)
ORDER BY at
