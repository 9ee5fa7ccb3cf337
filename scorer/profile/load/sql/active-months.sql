-- Calendar months (UTC) of the window in which the wallets sent a transaction.
SELECT sender AS address, toFloat64(uniqExact(toYYYYMM(block_time))) AS months
FROM transactions_all
WHERE network = {network:String} AND sender IN {addresses:Array(String)}
  AND block_time >= toDateTime({since:UInt32}, 'UTC') AND block_number <= {head:UInt32}
GROUP BY address
