-- Tables with hot rows in blocks first..last. One statement costs a quarter of separate ones; the table function `merge` costs more than
-- all of them.
SELECT name FROM (
  SELECT DISTINCT 'transactions' AS name FROM transactions_hot WHERE network = {network:String} AND block_number BETWEEN {first:UInt32} AND {last:UInt32}
  UNION ALL
  SELECT DISTINCT 'ledger' AS name FROM ledger_hot WHERE network = {network:String} AND block_number BETWEEN {first:UInt32} AND {last:UInt32}
  UNION ALL
  SELECT DISTINCT 'approvals' AS name FROM approvals_hot WHERE network = {network:String} AND block_number BETWEEN {first:UInt32} AND {last:UInt32}
  UNION ALL
  SELECT DISTINCT 'creations' AS name FROM creations_hot WHERE network = {network:String} AND block_number BETWEEN {first:UInt32} AND {last:UInt32}
  UNION ALL
  SELECT DISTINCT 'pools' AS name FROM pools_hot WHERE network = {network:String} AND block_number BETWEEN {first:UInt32} AND {last:UInt32}
  UNION ALL
  SELECT DISTINCT 'liquidity' AS name FROM liquidity_hot WHERE network = {network:String} AND block_number BETWEEN {first:UInt32} AND {last:UInt32}
  UNION ALL
  SELECT DISTINCT 'swaps' AS name FROM swaps_hot WHERE network = {network:String} AND block_number BETWEEN {first:UInt32} AND {last:UInt32}
  UNION ALL
  SELECT DISTINCT 'authority' AS name FROM authority_hot WHERE network = {network:String} AND block_number BETWEEN {first:UInt32} AND {last:UInt32}
  UNION ALL
  SELECT DISTINCT 'tokens' AS name FROM tokens_hot WHERE network = {network:String} AND block_number BETWEEN {first:UInt32} AND {last:UInt32}
  UNION ALL
  SELECT DISTINCT 'delegations' AS name FROM delegations_hot WHERE network = {network:String} AND block_number BETWEEN {first:UInt32} AND {last:UInt32}
  UNION ALL
  SELECT DISTINCT 'blocks' AS name FROM blocks_hot WHERE network = {network:String} AND block_number BETWEEN {first:UInt32} AND {last:UInt32}
)
ORDER BY name
