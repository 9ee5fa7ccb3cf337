-- Movements of wallets in hot blocks.
SELECT address, toString(count()) AS count, toString(sum(amount)) AS amount
FROM ledger_hot FINAL
WHERE network = {network:String} AND address IN {addresses:Array(String)}
  AND block_number > {settled:UInt32} AND block_number <= {head:UInt32}
GROUP BY address
ORDER BY address
