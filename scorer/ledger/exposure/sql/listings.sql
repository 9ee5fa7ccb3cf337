-- Which of some pools of registered factories are of a token without a price, and were seen to be given liquidity: a pool from before the index
-- says nothing of who gave it.
SELECT pool
FROM {pools_table:Identifier}
WHERE network = {network:String} AND pool IN {pools:Array(String)} AND factory IN {factories:Array(String)}
  AND pool IN (SELECT pool FROM {liquidity_table:Identifier} WHERE network = {network:String} AND pool IN {pools:Array(String)} AND event = 'add')
GROUP BY pool
HAVING max((token0 IN {assets:Array(String)}) != (token1 IN {assets:Array(String)}))
