-- Which of the addresses were announced as pools, and whether a registered factory did so.
SELECT pool AS address, max(factory IN {factories:Array(String)}) AS registered
FROM {pools_table:Identifier}
WHERE network = {network:String} AND pool IN {addresses:Array(String)}
GROUP BY pool
