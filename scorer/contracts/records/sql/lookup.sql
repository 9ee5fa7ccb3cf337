-- Newest records of some contracts.
SELECT network, address, body, toString(version) AS version, toUnixTimestamp(created_at) AS created_at, data_height
FROM contract_records
WHERE network = {network:String} AND address IN {addresses:Array(String)}
ORDER BY version DESC
LIMIT 1 BY network, address
