-- Liquidity events and swaps of pools in order; positive amounts are paid into the pool. At most `limit` per pool. A swap that
-- states its tokens belongs to the pool of these two (schema/pairs.ts).
SELECT pool, event, actor, position, tx_hash, time, amount0, amount1 FROM (
  SELECT pool, event, provider AS actor, position, tx_hash, toUnixTimestamp(block_time) AS time,
    toString(if(event = 'add', 1, -1) * if(l.amount0 < 0, -l.amount0, l.amount0)) AS amount0,
    toString(if(event = 'add', 1, -1) * if(l.amount1 < 0, -l.amount1, l.amount1)) AS amount1
  FROM {liquidity_table:Identifier} AS l WHERE network = {network:String} AND pool IN {pools:Array(String)}
  UNION ALL
  SELECT if(s.factory = '', s.pool, transform(concat(s.pool, ':', s.token0, ':', s.token1), {stated:Array(String)}, {statedOf:Array(String)}, '')) AS pool,
    'swap' AS event, initiator AS actor, position, tx_hash, toUnixTimestamp(block_time) AS time,
    toString(s.amount0) AS amount0, toString(s.amount1) AS amount1
  FROM {swaps_table:Identifier} AS s WHERE network = {network:String} AND s.pool IN {traded:Array(String)}
)
WHERE pool IN {pools:Array(String)}
ORDER BY pool, position
LIMIT {limit:UInt32} BY pool
