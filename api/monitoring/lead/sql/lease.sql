-- Who holds a lease, by which claim, and for how many milliseconds by the store's clock.
SELECT holder, toString(version) AS version, toUnixTimestamp64Milli(held_until) - toUnixTimestamp64Milli(now64(3)) AS left
FROM monitor_leases
WHERE name = {name:String}
ORDER BY monitor_leases.version DESC
LIMIT 1
