-- Puts deliveries into the queue again, under the ids they had.
INSERT INTO webhook_deliveries
  (endpoint, id, account, type, network, operation, body, state, asked, attempts, status, reason, created, begun, due, finished, expires)
SELECT endpoint, id, account, type, network, operation, body, 'waiting', 1, 0, 0, '', created, now64(3), now64(3),
  toDateTime64(0, 3, 'UTC'), expires
FROM webhook_deliveries FINAL
WHERE endpoint = {endpoint:String} AND id IN {ids:Array(String)} AND state != 'waiting'
