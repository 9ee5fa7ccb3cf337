SELECT address, version, body
FROM wallet_records
WHERE network = {network:String} AND address IN {addresses:Array(String)}
ORDER BY address, version DESC
LIMIT 1 BY address
SETTINGS max_threads = 1
