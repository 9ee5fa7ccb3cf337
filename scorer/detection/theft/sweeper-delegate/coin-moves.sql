-- Oldest native movements, from a time per account (Unix seconds), at most `limit` per account and time.
SELECT address, a.since AS since, direction, counterparty, toString(l.amount) AS amount, block_number, tx_hash,
  toUnixTimestamp(block_time) AS time
FROM {ledger_table:Identifier} AS l
INNER JOIN (
  SELECT tupleElement(span, 1) AS account, toUInt32(tupleElement(span, 2)) AS since
  FROM (SELECT arrayJoin(arrayZip({accounts:Array(String)}, {since:Array(UInt32)})) AS span)
) AS a ON a.account = l.address
WHERE network = {network:String} AND address IN {accounts:Array(String)} AND toUnixTimestamp(block_time) >= a.since
  AND kind IN ('native', 'internal') AND l.amount > 0 AND counterparty != address
ORDER BY address, since, position, direction DESC
LIMIT {limit:UInt32} BY address, since
