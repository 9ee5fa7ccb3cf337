-- Progress of the stream, and the current hash of the block it reached.
SELECT height, hash, verified, (
    SELECT any(block_hash) FROM blocks_all
    WHERE network = {network:String}
      AND block_number = (SELECT argMax(height, version) FROM contract_progress WHERE network = {network:String})
  ) AS canonical
FROM contract_progress
WHERE network = {network:String}
ORDER BY version DESC
LIMIT 1
