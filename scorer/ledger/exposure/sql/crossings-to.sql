-- Crossings of bridges that name the other side, by receiver and end (`bridge_out`: departure, `bridge_in`: arrival), oldest first.
SELECT subject AS receiver, detail AS key, tx_hash AS tx, toUnixTimestamp(block_time) AS time, toString(a.amount) AS amount
FROM {authority_table:Identifier} AS a
WHERE network = {network:String} AND subject IN {receivers:Array(String)} AND event = {event:String}
  AND block_number <= {head:UInt32}
ORDER BY subject, a.block_time, a.position
LIMIT 2000 BY subject
