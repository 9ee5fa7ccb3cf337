-- Wallets whose newest record leaves something open for a reason that has some words in it.
SELECT address
FROM wallet_records
WHERE network = {network:String}
GROUP BY address
HAVING arrayExists(unknown -> position(unknown, {words:String}) > 0, argMax(unknowns, version))
LIMIT 1000000
