-- The newest state of a network's rebuild, and the time since its last confirmation.
SELECT version, id, what, state, position, buckets, steps,
  toInt64(dateDiff('millisecond', seen_at, now64(3))) AS age
FROM rebuilds
WHERE network = {network:String}
ORDER BY version DESC
LIMIT 1
