-- Contracts whose verdict may have changed: themselves, their token, pool or owner were touched.
SELECT DISTINCT address
FROM contract_records
WHERE network = {network:String}
  AND (address IN {touched:Array(String)} OR token IN {touched:Array(String)} OR pool IN {touched:Array(String)} OR owner IN {touched:Array(String)})
LIMIT {limit:UInt32}
