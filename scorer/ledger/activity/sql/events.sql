-- Activity of an address by step: transactions it signed and their fees, approvals it gave, swaps it started, contracts it created.
SELECT toString(multiIf({step:String} = 'month', toStartOfMonth(day), {step:String} = 'week', toMonday(day), day)) AS at,
  toFloat64(sum(signed)) AS transactions, toFloat64(sum(approved)) AS approvals, toFloat64(sum(swapped)) AS swaps,
  toFloat64(sum(created)) AS creations, toString(sum(paid)) AS fees
FROM (
  SELECT toDate(block_time) AS day, count() AS signed, 0 AS approved, 0 AS swapped, 0 AS created, sum(fee) AS paid
  FROM {transactions_table:Identifier}
  WHERE network = {network:String} AND sender = {address:String}
    AND block_time >= toDateTime({from:UInt32}, 'UTC') AND block_number <= {head:UInt32}
  GROUP BY day
  UNION ALL
  SELECT toDate(block_time) AS day, 0, count(), 0, 0, toUInt256(0)
  FROM {approvals_table:Identifier}
  WHERE network = {network:String} AND owner = {address:String}
    AND block_time >= toDateTime({from:UInt32}, 'UTC') AND block_number <= {head:UInt32}
  GROUP BY day
  UNION ALL
  SELECT toDate(block_time) AS day, 0, 0, count(), 0, toUInt256(0)
  FROM {wallet_swaps_table:Identifier}
  WHERE network = {network:String} AND address = {address:String}
    AND block_time >= toDateTime({from:UInt32}, 'UTC') AND block_number <= {head:UInt32}
  GROUP BY day
  UNION ALL
  SELECT toDate(assumeNotNull(created_at)) AS day, 0, 0, 0, count(), toUInt256(0)
  FROM {deployer_contracts_table:Identifier}
  WHERE network = {network:String} AND root_creator = {address:String} AND created_at >= toDateTime({from:UInt32}, 'UTC')
  GROUP BY day
)
GROUP BY at
ORDER BY at
