-- Movements of wallets by the aggregates of the final tier.
SELECT address, toString(sum(count_in + count_out)) AS count, toString(sum(amount_in + amount_out)) AS amount
FROM wallet_assets
WHERE network = {network:String} AND address IN {addresses:Array(String)}
GROUP BY address
ORDER BY address
