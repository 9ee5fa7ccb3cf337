-- The newest blocks up to a height that the tables have without a gap: first and last, with their times.
WITH
  (
    SELECT argMax(first_block, last_block) FROM covered_ranges FINAL
    WHERE network = {network:String} AND claimed_by = ''
      AND epoch = (SELECT max(epoch) FROM covered_ranges WHERE network = {network:String})
  ) AS covered
SELECT toUInt32(min(block_number)) AS first, toUInt32(max(block_number)) AS last,
  toUnixTimestamp(min(block_time)) AS since, toUnixTimestamp(max(block_time)) AS until
FROM blocks_all
WHERE network = {network:String} AND block_number BETWEEN {from:UInt32} AND {height:UInt32} AND block_number >= covered AND covered > 0
