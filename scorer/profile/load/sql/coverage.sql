-- First and newest block of the data and its time, and whether the blocks show internal calls.
SELECT
  (SELECT block_number FROM blocks_all WHERE network = {network:String} ORDER BY block_number LIMIT 1) AS first,
  (SELECT toUnixTimestamp(block_time) FROM blocks_all WHERE network = {network:String} AND block_number = {head:UInt32} LIMIT 1) AS time,
  (SELECT sees_traces FROM blocks_all WHERE network = {network:String} AND block_number = {head:UInt32} LIMIT 1) AS sees_traces
