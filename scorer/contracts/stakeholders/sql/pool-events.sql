-- Newest events of some pools, amounts as the pool sees them: positive came in. What V4 pools say of liquidity has no amounts. A swap that
-- states its tokens belongs to the pool of these two (schema/pairs.ts).
SELECT pool, event, actor, tx_hash, time, position, toString(amount0) AS amount0, toString(amount1) AS amount1
FROM (
  SELECT pool, toString(event) AS event, provider AS actor, tx_hash, toUnixTimestamp(block_time) AS time, position,
    if(event = 'add', abs(amount0), -abs(amount0)) AS amount0, if(event = 'add', abs(amount1), -abs(amount1)) AS amount1
  FROM liquidity_all
  WHERE network = {network:String} AND pool IN {pools:Array(String)} AND block_time >= toDateTime({since:UInt32}, 'UTC')
  UNION ALL
  SELECT if(s.factory = '', s.pool, transform(concat(s.pool, ':', s.token0, ':', s.token1), {stated:Array(String)}, {statedOf:Array(String)}, '')) AS pool,
    'swap' AS event, initiator AS actor, tx_hash, toUnixTimestamp(block_time) AS time, position, amount0, amount1
  FROM swaps_all AS s
  WHERE network = {network:String} AND s.pool IN {traded:Array(String)} AND block_time >= toDateTime({since:UInt32}, 'UTC')
)
WHERE pool IN {pools:Array(String)}
ORDER BY position DESC
LIMIT {limit:UInt32}
