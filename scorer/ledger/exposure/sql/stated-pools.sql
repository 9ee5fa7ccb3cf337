-- Which of the addresses are named as pools by swaps, and which of these trade one of `assets` for something else.
SELECT pool, max((token0 IN {assets:Array(String)}) != (token1 IN {assets:Array(String)})) AS listing
FROM {swaps_table:Identifier}
WHERE network = {network:String} AND pool IN {addresses:Array(String)} AND factory != ''
GROUP BY pool
