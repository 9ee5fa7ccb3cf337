-- Number of transactions that accounts signed before their first stored one: its nonce. `times` are the times of the first known
-- transactions (Unix seconds), which limits the read to one or two granules per account. Excludes deposits of the OP stack (type 126),
-- which initially had no nonce.
SELECT sender AS address, toFloat64(min(nonce)) AS before
FROM {transactions_table:Identifier}
WHERE network = {network:String} AND sender IN {addresses:Array(String)}
  AND block_time IN (SELECT toDateTime(arrayJoin({times:Array(UInt32)}), 'UTC')) AND type != 126
GROUP BY sender
