-- Amounts of an asset (empty for the native coin) that addresses received from a bridge contract (`direction` 1) or gave to it (-1), oldest
-- first.
SELECT address, counterparty, tx_hash AS tx, toUnixTimestamp(block_time) AS time, toString(l.amount) AS amount
FROM {ledger_table:Identifier} AS l
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND counterparty = {gate:String}
  AND asset = {asset:String} AND kind IN ('native', 'internal', 'fungible') AND direction = {direction:Int8} AND l.amount > 0
  AND block_number <= {head:UInt32}
ORDER BY address, l.block_time, l.position
LIMIT 1000 BY address
