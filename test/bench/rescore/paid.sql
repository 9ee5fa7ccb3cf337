-- Some of those whom the thieves paid.
SELECT DISTINCT counterparty AS address FROM ledger
WHERE network = 'ETH' AND direction = -1 AND kind = 'native' AND address IN {thieves:Array(String)}
ORDER BY address
LIMIT {limit:UInt32}
