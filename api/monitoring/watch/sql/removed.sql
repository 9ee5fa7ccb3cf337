-- Rows of addresses that are no longer watched since some time, and the time by the store's clock they were found before.
SELECT account, network, address
FROM watch_list FINAL
WHERE watched = 0 AND stored < now() - INTERVAL {hours:UInt32} HOUR
LIMIT {limit:UInt32}
