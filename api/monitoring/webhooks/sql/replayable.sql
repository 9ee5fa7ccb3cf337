-- Deliveries of an endpoint that do not wait, by id or by the time they were made, oldest first.
SELECT id
FROM webhook_deliveries FINAL
WHERE endpoint = {endpoint:String} AND state != 'waiting' AND ({state:String} = '' OR state = {state:String})
  AND (empty({ids:Array(String)}) OR id IN {ids:Array(String)})
  AND webhook_deliveries.created >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND webhook_deliveries.created < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
ORDER BY webhook_deliveries.created, id
LIMIT {limit:UInt32}
