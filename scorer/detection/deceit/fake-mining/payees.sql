-- How many parties the payers ever paid.
SELECT address, toUInt32(out_counterparties) AS payees
FROM {wallet_features_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
