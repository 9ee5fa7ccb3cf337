-- First funders of the accounts, the number of parties those funders paid more than dust, the fees that the accounts paid (base
-- units), and when they were first seen.
SELECT w.address AS address, w.funder AS funder, toFloat64(w.fees) AS fees, toUnixTimestamp(w.first_seen) AS first_seen, toUInt32(f.payees) AS payees
FROM (
  SELECT address, funder, fees, first_seen FROM {wallet_features_table:Identifier}
  WHERE network = {network:String} AND address IN {addresses:Array(String)}
) AS w
LEFT JOIN (
  SELECT address, out_partners AS payees FROM {wallet_features_table:Identifier}
  WHERE network = {network:String} AND address IN (
    SELECT funder FROM {wallet_features_table:Identifier} WHERE network = {network:String} AND address IN {addresses:Array(String)}
  )
) AS f ON f.address = w.funder
