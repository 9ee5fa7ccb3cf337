DELETE FROM watch_list
WHERE concat(account, ' ', network, ' ', address) IN {rows:Array(String)} AND stored < now() - INTERVAL {hours:UInt32} HOUR
