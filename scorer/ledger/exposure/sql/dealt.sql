-- How many movements of dollar coins and of the native coin one wallet had.
SELECT toUInt32(countIf(asset IN {stables:Array(String)})) AS stable, toUInt32(countIf(asset = '')) AS native
FROM {ledger_table:Identifier}
WHERE network = {network:String} AND address = {address:String}
  AND kind IN ('native', 'internal', 'fungible') AND block_number <= {head:UInt32}
