-- Number of parties that the payers ever paid. Tokens they did not sign for do not count: anybody's token can state thousands.
SELECT address, toUInt32(out_partners) AS payees
FROM {wallet_features_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
