-- Gives up deliveries of an endpoint that wait since before a time.
INSERT INTO webhook_deliveries
  (endpoint, id, account, type, network, operation, body, state, asked, attempts, status, reason, created, begun, due, finished, expires)
SELECT endpoint, id, account, type, network, operation, body, 'dead', 0, attempts, status, {reason:String}, created, begun, due,
  now64(3), expires
FROM webhook_deliveries FINAL
WHERE endpoint = {endpoint:String} AND state = 'waiting' AND id NOT IN {excluded:Array(String)}
  AND begun < fromUnixTimestamp64Milli({before:Int64}, 'UTC')
