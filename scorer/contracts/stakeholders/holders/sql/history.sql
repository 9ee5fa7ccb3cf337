-- Block of a contract's creation, 0 when it is not in the tables, and whether all blocks from there to the newest are.
WITH
  (
    SELECT ifNull(min(block_number), 0) FROM creations_all
    WHERE network = {network:String} AND contract = {contract:String} AND event = 'create'
  ) AS made
SELECT toUInt32(made) AS created,
  toUInt8(made > 0 AND countIf(first_block > made) = 0 AND (countIf(last_block >= made) = 1 OR max(last_block) < made)) AS whole
FROM (
  SELECT first_block, last_block FROM covered_ranges FINAL
  WHERE network = {network:String} AND claimed_by = ''
    AND epoch = (SELECT max(epoch) FROM covered_ranges WHERE network = {network:String})
)
