-- Blocks in which nobody in the story did anything: a history without gaps, as an index of a chain has.
INSERT INTO blocks (network, block_number, block_time, block_hash, parent_hash, transaction_count, sees_traces)
SELECT
  {network:String}, toUInt32({first:UInt32} + number), toDateTime({time:UInt32} + number * {seconds:UInt32}, 'UTC'),
  concat('0x', lower(leftPad(hex({first:UInt32} + number), 64, '0'))),
  concat('0x', lower(leftPad(hex({first:UInt32} + number - 1), 64, '0'))), 0, 1
FROM numbers({count:UInt32})
WHERE {first:UInt32} + number NOT IN (SELECT block_number FROM blocks WHERE network = {network:String})
