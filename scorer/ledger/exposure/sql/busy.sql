-- Addresses with many movements or receipts, by counts that are cheap to read, and their number of movements: native ones, tokens
-- they signed for, or one in `forgeable` of all, because a stranger's token can name anybody in thousands.
SELECT address, toFloat64(greatest(native_in_count + native_out_count + token_out_own,
  intDiv(native_in_count + native_out_count + token_in_count + token_out_count, {forgeable:UInt64}))) AS movements
FROM {wallet_features_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
  AND (received >= {received:UInt64} OR native_in_count + native_out_count + token_in_count + token_out_count >= {movements:UInt64})
