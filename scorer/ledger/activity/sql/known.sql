-- Time of the first covered block, and whether the blocks at both ends show internal calls.
SELECT
  toUnixTimestamp(minIf(b.block_time, b.block_number = {first:UInt32})) AS first, min(b.sees_traces) AS traces
FROM (
  SELECT block_number, block_time, sees_traces FROM blocks
  WHERE network = {network:String} AND block_number IN ({first:UInt32}, {head:UInt32})
  UNION ALL
  SELECT block_number, block_time, sees_traces FROM blocks_hot FINAL
  WHERE network = {network:String} AND block_number IN ({first:UInt32}, {head:UInt32})
) AS b
