-- Addresses that move or receive much, by counts that are cheap to read, and how many movements each has.
SELECT address, toFloat64(native_in_count + native_out_count + token_in_count + token_out_count) AS movements
FROM {wallet_features_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
  AND (received >= {received:UInt64} OR native_in_count + native_out_count + token_in_count + token_out_count >= {movements:UInt64})
