-- Newest liquidity events of a pool within the horizon.
SELECT event, provider, tx_hash, toString(amount0) AS amount0, toString(amount1) AS amount1, toUnixTimestamp(block_time) AS time
FROM liquidity_all
WHERE network = {network:String} AND pool = {pool:String} AND block_time >= toDateTime({since:UInt32}, 'UTC')
ORDER BY position DESC
LIMIT 500
