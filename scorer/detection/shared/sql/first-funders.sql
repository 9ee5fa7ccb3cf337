-- Who sent some accounts their first coins; empty where nobody was seen to.
SELECT address, funder
FROM {wallet_features_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
