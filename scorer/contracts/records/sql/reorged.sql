-- Records of blocks that are no longer on the chain.
SELECT r.address AS address
FROM (
  SELECT address, argMax(c.data_height, c.version) AS height, argMax(c.data_hash, c.version) AS hash
  FROM contract_records AS c
  WHERE network = {network:String}
    AND address IN (SELECT address FROM contract_records WHERE network = {network:String} AND data_height > {from:UInt32})
  GROUP BY address
) AS r
INNER JOIN (
  SELECT block_number, block_hash FROM blocks_all
  WHERE network = {network:String} AND block_number > {from:UInt32} AND block_number <= {to:UInt32}
) AS b ON b.block_number = r.height
WHERE r.hash != '' AND r.hash != b.block_hash
LIMIT {limit:UInt32}
