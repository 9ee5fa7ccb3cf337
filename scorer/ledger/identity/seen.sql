-- First and last time that an address took part in anything.
SELECT toUnixTimestamp(f.first_seen) AS first, toUnixTimestamp(f.last_seen) AS last
FROM {wallet_features_table:Identifier} AS f
WHERE network = {network:String} AND address = {address:String}
