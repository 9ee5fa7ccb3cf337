-- Native payments to the wallets that the payers signed, oldest first, at most `limit` per wallet.
SELECT address, counterparty AS payer, toString(l.amount) AS amount, tx_hash, toUnixTimestamp(block_time) AS time
FROM {ledger_table:Identifier} AS l
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND block_time >= toDateTime({since:UInt32}, 'UTC')
  AND kind = 'native' AND direction = 1 AND l.amount > 0 AND initiator = counterparty
ORDER BY address, block_time, position
LIMIT {limit:UInt32} BY address
