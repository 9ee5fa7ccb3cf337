-- First funders of the accounts; empty if not known.
SELECT address, funder
FROM {wallet_features_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
