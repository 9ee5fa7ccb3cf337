-- Who sent some accounts their first coins, and when they were first seen.
SELECT address, funder, toUnixTimestamp(first_seen) AS first_seen
FROM wallet_features_all
WHERE network = {network:String} AND address IN {addresses:Array(String)}
