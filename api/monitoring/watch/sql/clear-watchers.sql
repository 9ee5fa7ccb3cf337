DELETE FROM watchers
WHERE concat(account, ' ', network, ' ', address) IN {rows:Array(String)} AND stored < now() - INTERVAL {hours:UInt32} HOUR
