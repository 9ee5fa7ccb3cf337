-- Addresses that changed in a range of blocks, as far as contract records depend on them. Changes of ownership and code
-- and new pools are urgent; liquidity and other contracts of a deployer are not.
SELECT address, max(block_number) AS height, max(at_once) AS urgent
FROM (
  SELECT pool AS address, block_number, 0 AS at_once
  FROM liquidity_all
  WHERE network = {network:String} AND block_number > {from:UInt32} AND block_number <= {to:UInt32}
  UNION ALL
  SELECT authority, block_number, 1
  FROM authority_all
  WHERE network = {network:String} AND block_number > {from:UInt32} AND block_number <= {to:UInt32}
    AND event IN ('owner_change', 'upgrade', 'admin_change', 'role_grant', 'role_revoke', 'pause', 'unpause')
  UNION ALL
  SELECT root_creator, block_number, 0
  FROM creations_all
  WHERE network = {network:String} AND block_number > {from:UInt32} AND block_number <= {to:UInt32} AND event = 'create'
  UNION ALL
  SELECT contract, block_number, 1
  FROM creations_all
  WHERE network = {network:String} AND block_number > {from:UInt32} AND block_number <= {to:UInt32}
  UNION ALL
  SELECT arrayJoin([token0, token1]), block_number, 1
  FROM pools_all
  WHERE network = {network:String} AND block_number > {from:UInt32} AND block_number <= {to:UInt32}
    AND factory IN {factories:Array(String)}
)
WHERE address != '' AND address NOT IN {bases:Array(String)}
GROUP BY address
