-- Which of the addresses are pools.
SELECT DISTINCT pool AS address
FROM {pools_table:Identifier}
WHERE network = {network:String} AND pool IN {addresses:Array(String)}
