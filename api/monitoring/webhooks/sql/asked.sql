-- Endpoints whose owners asked for deliveries since a time of the store's clock, and the last of these times.
SELECT endpoint, toUnixTimestamp64Milli(max(webhook_deliveries.stored)) AS stored
FROM webhook_deliveries
WHERE webhook_deliveries.stored > fromUnixTimestamp64Milli({since:Int64}, 'UTC') AND asked = 1 AND state = 'waiting'
GROUP BY endpoint
