-- When an address first and last did or was part of anything.
SELECT toUnixTimestamp(f.first_seen) AS first, toUnixTimestamp(f.last_seen) AS last
FROM {wallet_features_table:Identifier} AS f
WHERE network = {network:String} AND address = {address:String}
