-- Time of the first movement beyond the newest `most` of an address.
SELECT toUnixTimestamp(block_time) AS time
FROM {ledger_table:Identifier}
WHERE network = {network:String} AND address = {address:String} AND block_number <= {head:UInt32}
ORDER BY block_time DESC
LIMIT 1 OFFSET {most:UInt32}
