-- Addresses that somebody began to watch since a time of the store's clock.
SELECT network, address, toUnixTimestamp64Milli(max(watch_list.stored)) AS stored
FROM watch_list
WHERE watch_list.stored > fromUnixTimestamp64Milli({since:Int64}, 'UTC') AND watched = 1
GROUP BY network, address
ORDER BY stored, network, address
LIMIT {limit:UInt32}
