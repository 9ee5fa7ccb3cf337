-- Lifetime totals of an address for each of `assets`, and for all others together (`known` 0).
SELECT known, toString(sum(amount_in)) AS received, toString(sum(amount_out)) AS sent,
  toFloat64(sum(count_in) + sum(count_out)) AS movements, toFloat64(count()) AS assets
FROM (
  SELECT toUInt16(indexOf({assets:Array(String)}, asset)) AS known, amount_in, amount_out, count_in, count_out
  FROM {wallet_assets_table:Identifier}
  WHERE network = {network:String} AND address = {address:String}
)
GROUP BY known
