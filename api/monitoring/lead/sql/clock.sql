-- The store's clock.
SELECT toUnixTimestamp64Milli(now64(3)) AS now
