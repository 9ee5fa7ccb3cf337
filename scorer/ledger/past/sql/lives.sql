-- Facts that show since when accounts exist: creations and first transactions, and native coins received and spent (base units).
SELECT address, created, toUnixTimestamp(sent_first) AS sent_first, toFloat64(native_in) AS native_in,
  toFloat64(native_out) AS native_out, toFloat64(fees) AS fees
FROM {wallet_features_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
