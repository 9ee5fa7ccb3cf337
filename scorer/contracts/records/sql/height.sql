-- Newest complete block of a network in either tier; 0 for none.
SELECT greatest(
  ifNull((SELECT max(block_number) FROM blocks_hot FINAL WHERE network = {network:String}), 0),
  ifNull((SELECT max(block_number) FROM (
    SELECT block_number FROM blocks WHERE network = {network:String} ORDER BY block_number DESC LIMIT 1
  )), 0)
) AS height
