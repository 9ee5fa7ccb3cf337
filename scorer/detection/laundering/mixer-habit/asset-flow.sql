-- Total flow of the wallets by asset, base units; the empty asset is the native coin.
SELECT address, asset, toString(toUInt256(amount_in) + toUInt256(amount_out)) AS moved, toFloat64(count_in) + toFloat64(count_out) AS movements
FROM {wallet_assets_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND asset IN {assets:Array(String)}
