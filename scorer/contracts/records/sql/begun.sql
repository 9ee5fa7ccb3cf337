-- The addresses whose analysis began, never ended, and is not due again.
SELECT address
FROM contract_retries FINAL
WHERE network = {network:String} AND settled = 0 AND reason = 'begun'
  AND due_at > fromUnixTimestamp64Milli({now:Int64}) AND address IN {addresses:Array(String)}
