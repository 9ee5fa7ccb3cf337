-- Transactions that added most liquidity to a pool, at any time.
SELECT tx_hash
FROM liquidity_all
WHERE network = {network:String} AND pool = {pool:String} AND event = 'add'
ORDER BY liquidity DESC, position
LIMIT 20
