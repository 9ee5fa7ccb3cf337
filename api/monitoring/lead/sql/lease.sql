-- Who holds a lease, and for how many milliseconds by the store's clock.
SELECT holder, toUnixTimestamp64Milli(held_until) - toUnixTimestamp64Milli(now64(3)) AS left
FROM monitor_leases
WHERE name = {name:String}
ORDER BY version DESC
LIMIT 1
