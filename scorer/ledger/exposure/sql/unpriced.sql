-- Number of assets without a price that an address received and sent.
SELECT toUInt32(countIf(count_in > 0)) AS incoming, toUInt32(countIf(count_out > 0)) AS outgoing
FROM {wallet_assets_table:Identifier}
WHERE network = {network:String} AND address = {address:String} AND asset NOT IN {assets:Array(String)}
