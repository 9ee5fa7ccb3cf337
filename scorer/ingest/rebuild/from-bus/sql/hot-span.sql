-- Range of hot blocks.
SELECT min(block_number) AS first, max(block_number) AS last
FROM blocks_hot FINAL
WHERE network = {network:String}
HAVING count() > 0
