-- Native coins that some addresses got from contracts of bridges (`direction` 1), or gave to them (-1), oldest first.
SELECT address, counterparty, tx_hash AS tx, toUnixTimestamp(block_time) AS time, toString(l.amount) AS amount
FROM {ledger_table:Identifier} AS l
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND counterparty IN {gates:Array(String)}
  AND kind IN ('native', 'internal') AND direction = {direction:Int8} AND l.amount > 0 AND block_number <= {head:UInt32}
ORDER BY address, l.block_time, l.position
LIMIT 1000 BY address
