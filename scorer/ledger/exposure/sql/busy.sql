-- Addresses that move or receive much, by counts that are cheap to read, and how many movements each has: native ones, those of tokens that it
-- signed for, and one in `forgeable` of all, as a stranger's token can name anybody in thousands.
SELECT address, toFloat64(greatest(native_in_count + native_out_count + token_out_own,
  intDiv(native_in_count + native_out_count + token_in_count + token_out_count, {forgeable:UInt64}))) AS movements
FROM {wallet_features_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
  AND (received >= {received:UInt64} OR native_in_count + native_out_count + token_in_count + token_out_count >= {movements:UInt64})
