-- Crossings that departed in the transactions, oldest first.
SELECT subject AS receiver, detail AS key, tx_hash AS tx, toUnixTimestamp(block_time) AS time, toString(a.amount) AS amount
FROM {authority_table:Identifier} AS a
WHERE network = {network:String} AND tx_hash IN {transactions:Array(String)} AND event = 'bridge_out'
  AND block_number <= {head:UInt32}
ORDER BY a.block_time, a.position
