-- Newest liquidity events of some pools, at any time.
SELECT pool, event, provider, owner, tx_hash, toString(amount0) AS amount0, toString(amount1) AS amount1, toUnixTimestamp(block_time) AS time
FROM liquidity_all
WHERE network = {network:String} AND pool IN {pools:Array(String)}
ORDER BY position DESC
LIMIT {limit:UInt32}
