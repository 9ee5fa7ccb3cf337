-- Postponed analyses that are due.
SELECT address, attempts, reason
FROM contract_retries FINAL
WHERE network = {network:String} AND settled = 0 AND due_at <= fromUnixTimestamp64Milli({now:Int64})
ORDER BY due_at
LIMIT {limit:UInt32}
