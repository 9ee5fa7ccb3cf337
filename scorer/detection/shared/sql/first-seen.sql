-- When the addresses were first seen, and whether they are contracts.
SELECT address, toUnixTimestamp(first_seen) AS first_seen, created > 0 AS contract
FROM {wallet_features_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
