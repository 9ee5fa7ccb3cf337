-- Numbers that identify services.
SELECT address, toFloat64(created) AS created, toFloat64(received_from) AS received_from,
  toFloat64(in_partners) AS in_partners, toFloat64(out_partners) AS out_partners
FROM {wallet_features_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
