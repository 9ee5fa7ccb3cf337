-- As what the money of the addresses is known by flags of their newest records that rest on their own acts or on lists; and which of them
-- are pools.
SELECT address, toString(argMax(offence, version)) AS category, 0 AS is_pool
FROM wallet_records
WHERE network = {network:String} AND address IN {addresses:Array(String)}
GROUP BY address
HAVING category != ''
UNION ALL
SELECT DISTINCT pool AS address, '' AS category, 1 AS is_pool
FROM {pools_table:Identifier}
WHERE network = {network:String} AND pool IN {addresses:Array(String)}
