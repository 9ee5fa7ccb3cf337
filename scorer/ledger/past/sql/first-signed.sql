-- How many transactions accounts had signed before the first that is stored: its number. `times` are those of the first transactions
-- seen (Unix seconds), which keeps the read to a granule or two of each account. Deposits of the OP stack (type 126) had no number of
-- their own at first.
SELECT sender AS address, toFloat64(min(nonce)) AS before
FROM {transactions_table:Identifier}
WHERE network = {network:String} AND sender IN {addresses:Array(String)}
  AND block_time IN (SELECT toDateTime(arrayJoin({times:Array(UInt32)}), 'UTC')) AND type != 126
GROUP BY sender
