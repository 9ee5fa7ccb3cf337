-- As what the money of the addresses is known by flags of their newest records that rest on their own acts or on lists.
SELECT address, argMax(offence, version) AS category
FROM wallet_records
WHERE network = {network:String} AND address IN {addresses:Array(String)}
GROUP BY address
HAVING category != ''
