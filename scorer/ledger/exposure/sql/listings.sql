-- Which pools of registered factories trade a token without a price and have a known addition of liquidity. For pools from before the index
-- the provider is not known.
SELECT pool
FROM {pools_table:Identifier}
WHERE network = {network:String} AND pool IN {pools:Array(String)} AND factory IN {factories:Array(String)}
  AND pool IN (SELECT pool FROM {liquidity_table:Identifier} WHERE network = {network:String} AND pool IN {pools:Array(String)} AND event = 'add')
GROUP BY pool
HAVING max((token0 IN {assets:Array(String)}) != (token1 IN {assets:Array(String)}))
