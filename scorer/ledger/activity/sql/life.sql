-- Time of the first row about an address, and the total fees it paid (base units).
SELECT toUnixTimestamp(first_seen) AS first, toString(fees) AS fees
FROM {wallet_features_table:Identifier}
WHERE network = {network:String} AND address = {address:String}
