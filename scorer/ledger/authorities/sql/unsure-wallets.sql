-- Wallets whose newest record says that the log of an authority was not complete (ledger/authorities/coverage.ts).
SELECT address
FROM wallet_records
WHERE network = {network:String}
GROUP BY address
HAVING arrayExists(unknown -> position(unknown, 'the log of the authority is not complete') > 0, argMax(unknowns, version))
LIMIT 1000000
