-- Number of sales of a token in some pools, and of their signers. `token_first`: pools in which the token comes first.
-- A swap that states its tokens belongs to the pool of these two (schema/pairs.ts).
SELECT toUInt32(uniqExact(initiator)) AS sellers, toUInt32(count()) AS sales
FROM (
  SELECT if(s.factory = '', s.pool, transform(concat(s.pool, ':', s.token0, ':', s.token1), {stated:Array(String)}, {statedOf:Array(String)}, '')) AS pool,
    initiator, amount0, amount1
  FROM swaps_all AS s
  WHERE network = {network:String} AND s.pool IN {traded:Array(String)} AND block_number BETWEEN {first:UInt32} AND {last:UInt32}
    AND block_time BETWEEN toDateTime({since:UInt32}, 'UTC') AND toDateTime({until:UInt32}, 'UTC')
)
WHERE pool IN {pools:Array(String)} AND if(pool IN {token_first:Array(String)}, amount0, amount1) > 0
  AND initiator NOT IN {insiders:Array(String)}
