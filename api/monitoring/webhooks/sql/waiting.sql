-- Deliveries of an endpoint that are to be sent, the one that is due first in front.
SELECT endpoint, id, account, type, network, operation, body, attempts,
  toUnixTimestamp64Milli(created) AS created, toUnixTimestamp64Milli(begun) AS begun,
  toUnixTimestamp64Milli(due) AS due, toUnixTimestamp(expires) AS expires
FROM webhook_deliveries FINAL
WHERE endpoint = {endpoint:String} AND state = 'waiting' AND id NOT IN {excluded:Array(String)}
ORDER BY due, id
LIMIT {limit:UInt32}
