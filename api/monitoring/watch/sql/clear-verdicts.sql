DELETE FROM watch_verdicts
WHERE concat(network, ' ', address) IN {rows:Array(String)}
