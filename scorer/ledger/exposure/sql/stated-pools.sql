-- Which of the addresses swaps name as their pools, and which of these trade one of the assets for something else.
SELECT pool, max((token0 IN {assets:Array(String)}) != (token1 IN {assets:Array(String)})) AS listing
FROM {swaps_table:Identifier}
WHERE network = {network:String} AND pool IN {addresses:Array(String)} AND factory != ''
GROUP BY pool
