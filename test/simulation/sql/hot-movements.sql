-- Movements in each hot block a reader counts.
SELECT block_number, toUInt32(count()) AS count
FROM ledger_hot FINAL
WHERE network = {network:String} AND block_number > {settled:UInt32} AND block_number <= {head:UInt32}
GROUP BY block_number
