-- Which of the addresses are pools. `pools` is pools or pools_all.
SELECT DISTINCT pool AS address
FROM {pools:Identifier}
WHERE network = {network:String} AND pool IN {addresses:Array(String)}
