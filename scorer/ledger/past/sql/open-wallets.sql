-- Wallets whose newest record leaves something open because a past was not known (ledger/past/past.ts).
SELECT address
FROM wallet_records
WHERE network = {network:String}
GROUP BY address
HAVING arrayExists(unknown -> position(unknown, ': the past of ') > 0, argMax(unknowns, version))
LIMIT 1000000
