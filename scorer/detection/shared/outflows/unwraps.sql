-- Transactions that unwrapped coins: native coins went to somebody.
SELECT DISTINCT tx_hash
FROM {ledger_table:Identifier}
WHERE network = {network:String} AND address = {wrapped:String} AND kind = 'wrap' AND direction = 1
  AND block_time IN (SELECT toDateTime(arrayJoin({times:Array(UInt32)}), 'UTC')) AND tx_hash IN {transactions:Array(String)}
