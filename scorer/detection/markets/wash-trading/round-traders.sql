-- Pools in which the wallets swapped at least `least` times. `stated`: swaps state their tokens, so the pool may be that of one of
-- its pairs.
SELECT address, pool, max(factory != '') AS stated
FROM {wallet_swaps_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
GROUP BY address, pool
HAVING count() >= {least:UInt32}
ORDER BY address, pool
LIMIT 20 BY address
