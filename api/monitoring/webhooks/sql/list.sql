-- Deliveries of an endpoint, newest first.
SELECT id, type, state, attempts, status, reason, body, toUnixTimestamp64Milli(webhook_deliveries.created) AS created,
  toUnixTimestamp64Milli(webhook_deliveries.due) AS due, toUnixTimestamp64Milli(webhook_deliveries.finished) AS finished
FROM webhook_deliveries FINAL
WHERE endpoint = {endpoint:String} AND ({state:String} = '' OR state = {state:String})
  AND webhook_deliveries.created >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND webhook_deliveries.created < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND (webhook_deliveries.created, id) < (fromUnixTimestamp64Milli({before:Int64}, 'UTC'), {beforeId:String})
ORDER BY webhook_deliveries.created DESC, id DESC
LIMIT {limit:UInt32}
