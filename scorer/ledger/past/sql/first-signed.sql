-- Accounts whose first transaction ever is stored. `times` are those of the first transactions seen (Unix seconds), which keeps the
-- read to a granule or two of each account. Deposits of the OP stack (type 126) had no number of their own at first.
SELECT DISTINCT sender AS address
FROM {transactions_table:Identifier}
WHERE network = {network:String} AND sender IN {addresses:Array(String)}
  AND block_time IN (SELECT toDateTime(arrayJoin({times:Array(UInt32)}), 'UTC')) AND nonce = 0 AND type != 126
