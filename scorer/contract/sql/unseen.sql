-- Tokens that got a pool in a range of blocks and have no record yet.
SELECT DISTINCT token
FROM (
  SELECT arrayJoin([token0, token1]) AS token
  FROM pools_all
  WHERE network = {network:String} AND block_number >= {from:UInt32} AND block_number <= {to:UInt32}
)
WHERE token != '' AND token NOT IN {bases:Array(String)}
  AND token NOT IN (SELECT address FROM contract_records WHERE network = {network:String})
LIMIT {limit:UInt32}
