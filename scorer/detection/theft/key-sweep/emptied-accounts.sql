-- Amounts that accounts had given to their sink by asset, and what was left by then, in base units.
SELECT address AS account, a.sink AS sink, asset,
  toFloat64(sumIf(l.amount, direction = -1 AND counterparty = a.sink AND initiator = address)) AS given,
  toFloat64(sumIf(l.amount, direction = 1 AND counterparty = a.sink)) AS lent,
  toFloat64(sumIf(toInt256(l.amount), direction = 1)) - toFloat64(sumIf(toInt256(l.amount), direction = -1)) AS left_over,
  arraySlice(groupUniqArrayIf(tx_hash, direction = -1 AND counterparty = a.sink), 1, 3) AS transactions
FROM {ledger_table:Identifier} AS l
INNER JOIN (
  SELECT tupleElement(pair, 1) AS account, tupleElement(pair, 2) AS sink, toUInt32(tupleElement(pair, 3)) AS until
  FROM (SELECT arrayJoin(arrayZip({accounts:Array(String)}, {sinks:Array(String)}, {until:Array(UInt32)})) AS pair)
) AS a ON a.account = l.address
WHERE network = {network:String} AND address IN {accounts:Array(String)} AND kind IN ('native', 'internal', 'fungible', 'wrap')
  AND asset IN {assets:Array(String)} AND toUnixTimestamp(block_time) <= a.until
GROUP BY account, sink, asset
ORDER BY account, sink, asset
