-- Liquidity and swaps of some pools in order, amounts as the pool sees them: positive came in. At most `limit` a pool.
SELECT pool, event, actor, position, tx_hash, time, amount0, amount1 FROM (
  SELECT pool, event, provider AS actor, position, tx_hash, toUnixTimestamp(block_time) AS time,
    if(event = 'add', 1, -1) * toFloat64(if(amount0 < 0, -amount0, amount0)) AS amount0,
    if(event = 'add', 1, -1) * toFloat64(if(amount1 < 0, -amount1, amount1)) AS amount1
  FROM {liquidity_table:Identifier} WHERE network = {network:String} AND pool IN {pools:Array(String)}
  UNION ALL
  SELECT pool, 'swap' AS event, initiator AS actor, position, tx_hash, toUnixTimestamp(block_time) AS time,
    toFloat64(amount0) AS amount0, toFloat64(amount1) AS amount1
  FROM {swaps_table:Identifier} WHERE network = {network:String} AND pool IN {pools:Array(String)}
)
ORDER BY pool, position
LIMIT {limit:UInt32} BY pool
