SELECT address, sum(count) AS served
FROM serve_counts
WHERE kind = {kind:String} AND network = {network:String} AND address IN {addresses:Array(String)}
GROUP BY address
SETTINGS max_threads = 1
