-- Oldest movements of coins of some accounts since they came under suspicion, at most `limit` an account.
SELECT address, direction, counterparty, toFloat64(l.amount) AS amount, block_number, tx_hash, toUnixTimestamp(block_time) AS time
FROM ledger_all AS l
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND block_time >= fromUnixTimestamp({since:UInt32})
  AND kind IN ('native', 'internal') AND l.amount > 0 AND counterparty != address
ORDER BY address, position, direction DESC
LIMIT {limit:UInt32} BY address
