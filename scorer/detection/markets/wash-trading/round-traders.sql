-- Pools some wallets swapped in at least `least` times. `swaps` is wallet_swaps or wallet_swaps_all.
SELECT address, pool
FROM {swaps:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
GROUP BY address, pool
HAVING count() >= {least:UInt32}
ORDER BY address, pool
LIMIT 20 BY address
