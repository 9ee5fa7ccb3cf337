-- Newest events of some pools, amounts as the pool sees them: positive came in. What V4 pools say of liquidity has no amounts.
SELECT pool, event, actor, tx_hash, time, position, toString(amount0) AS amount0, toString(amount1) AS amount1
FROM (
  SELECT pool, toString(event) AS event, provider AS actor, tx_hash, toUnixTimestamp(block_time) AS time, position,
    if(event = 'add', abs(amount0), -abs(amount0)) AS amount0, if(event = 'add', abs(amount1), -abs(amount1)) AS amount1
  FROM liquidity_all
  WHERE network = {network:String} AND pool IN {pools:Array(String)} AND block_time >= toDateTime({since:UInt32}, 'UTC')
  UNION ALL
  SELECT pool, 'swap' AS event, initiator AS actor, tx_hash, toUnixTimestamp(block_time) AS time, position, amount0, amount1
  FROM swaps_all
  WHERE network = {network:String} AND pool IN {pools:Array(String)} AND block_time >= toDateTime({since:UInt32}, 'UTC')
)
ORDER BY position DESC
LIMIT {limit:UInt32}
