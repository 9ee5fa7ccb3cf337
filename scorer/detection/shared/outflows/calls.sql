-- Receiver, native value and selector of the transactions.
SELECT tx_hash, receiver, toString(value) AS value, selector
FROM {transactions_table:Identifier}
WHERE network = {network:String} AND sender IN {senders:Array(String)}
  AND block_time IN (SELECT toDateTime(arrayJoin({times:Array(UInt32)}), 'UTC')) AND tx_hash IN {transactions:Array(String)}
