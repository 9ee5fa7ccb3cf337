-- Wallets whose newest record has an unknown that contains `words`.
SELECT address
FROM wallet_records
WHERE network = {network:String}
GROUP BY address
HAVING arrayExists(unknown -> position(unknown, {words:String}) > 0, argMax(unknowns, version))
LIMIT 1000000
