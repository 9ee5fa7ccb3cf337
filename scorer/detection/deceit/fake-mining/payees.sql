-- How many parties the payers ever paid. Tokens that they did not sign for do not count: anybody's may state thousands.
SELECT address, toUInt32(out_partners) AS payees
FROM {wallet_features_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
