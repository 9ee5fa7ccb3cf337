-- Records of some wallets: the newest of each, and older ones that no merge has removed yet.
SELECT address, version, body, data_height, arrayExists(unknown -> position(unknown, {words:String}) > 0, unknowns) AS unsure
FROM wallet_records
WHERE network = {network:String} AND address IN {addresses:Array(String)}
SETTINGS max_threads = 1
