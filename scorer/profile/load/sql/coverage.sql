-- First block of the data, time of the newest complete one, and whether that one shows internal calls.
SELECT
  (SELECT block_number FROM blocks WHERE network = {network:String} ORDER BY block_number LIMIT 1) AS first,
  max(b.time) AS time, min(b.sees_traces) AS sees_traces
FROM (
  SELECT toUnixTimestamp(block_time) AS time, sees_traces FROM blocks
  WHERE network = {network:String} AND block_number = {head:UInt32}
  UNION ALL
  SELECT toUnixTimestamp(block_time) AS time, sees_traces FROM blocks_hot FINAL
  WHERE network = {network:String} AND block_number = {head:UInt32}
) AS b
