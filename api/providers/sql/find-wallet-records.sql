-- Records of some wallets: the newest of each, and older ones that no merge has removed yet.
SELECT address, version, body, data_height
FROM wallet_records
WHERE network = {network:String} AND address IN {addresses:Array(String)}
SETTINGS max_threads = 1
