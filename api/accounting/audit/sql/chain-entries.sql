-- Entries of a chain behind one, of a time and of some keys or all, in order.
SELECT
  chain, seq, toUnixTimestamp64Milli(at) AS ms, kind, key, operation, network, status, lost, secret, sealed, hash
FROM audit_log
WHERE chain = {chain:String} AND seq > {after:Int64}
  AND at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND (empty({keys:Array(String)}) OR key IN {keys:Array(String)})
ORDER BY seq
LIMIT {limit:UInt32} WITH TIES
