-- Newest state of every writer of a network.
SELECT writer, argMax(w.state, w.version) AS state,
  toInt64(dateDiff('millisecond', argMax(w.seen_at, w.version), now64(3))) AS age
FROM ingest_writers AS w
WHERE network = {network:String}
GROUP BY writer
