-- The next wallets with a record, in the order of their addresses.
SELECT DISTINCT address
FROM wallet_records
WHERE network = {network:String} AND address > {after:String}
ORDER BY address
LIMIT {limit:UInt32}
