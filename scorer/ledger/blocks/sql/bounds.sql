SELECT min(block_number) AS first, max(block_number) AS last, count() AS blocks
FROM blocks
WHERE network = {network:String}
