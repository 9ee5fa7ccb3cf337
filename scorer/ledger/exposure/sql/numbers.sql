-- Numbers that tell services and what is too large to follow.
SELECT address, toFloat64(created) AS created, toFloat64(received_from) AS received_from,
  toFloat64(in_partners) AS in_partners, toFloat64(out_partners) AS out_partners,
  toFloat64(native_in_count + native_out_count + token_in_count + token_out_count) AS movements
FROM {wallet_features_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
