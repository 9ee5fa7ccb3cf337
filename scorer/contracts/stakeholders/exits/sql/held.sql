-- Whether an account had received a position NFT by a time.
SELECT toUInt8(count() > 0) AS held
FROM ledger_all
WHERE network = {network:String} AND address = {owner:String} AND asset = {manager:String} AND kind = 'nft' AND token_id = {id:UInt256}
  AND direction = 1 AND block_time <= toDateTime({time:UInt32}, 'UTC')
