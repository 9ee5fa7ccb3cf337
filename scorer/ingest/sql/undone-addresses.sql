-- Addresses whose rows an undo removes. Tombstones count too, so that a repetition finds the same.
SELECT DISTINCT address
FROM (
  SELECT address FROM ledger_hot WHERE network = {network:String} AND block_number >= {from:UInt32} AND version <= {version:UInt64}
  UNION ALL
  SELECT arrayJoin([sender, receiver]) FROM transactions_hot WHERE network = {network:String} AND block_number >= {from:UInt32} AND version <= {version:UInt64}
  UNION ALL
  SELECT arrayJoin([owner, spender]) FROM approvals_hot WHERE network = {network:String} AND block_number >= {from:UInt32} AND version <= {version:UInt64}
  UNION ALL
  SELECT arrayJoin([contract, root_creator]) FROM creations_hot WHERE network = {network:String} AND block_number >= {from:UInt32} AND version <= {version:UInt64}
  UNION ALL
  SELECT provider FROM liquidity_hot WHERE network = {network:String} AND block_number >= {from:UInt32} AND version <= {version:UInt64}
  UNION ALL
  SELECT arrayJoin([subject, actor]) FROM authority_hot WHERE network = {network:String} AND block_number >= {from:UInt32} AND version <= {version:UInt64}
  UNION ALL
  SELECT arrayJoin([authority, delegate]) FROM delegations_hot WHERE network = {network:String} AND block_number >= {from:UInt32} AND version <= {version:UInt64}
)
WHERE address != ''
