-- The wallets' main counterparties in the window by value moved, in cents, without services and amounts below the minimum.
SELECT v.address AS address, v.counterparty AS counterparty, toFloat64(sum(v.cents)) AS cents
FROM (
  SELECT address, counterparty,
    toUInt64(least(toFloat64(sum(amount)) * 100 * transform(asset, {assets:Array(String)}, {unit_prices:Array(Float64)}, 0.), 1e15)) AS cents
  FROM {ledger_table:Identifier}
  WHERE network = {network:String} AND address IN {addresses:Array(String)}
    AND block_time >= toDateTime({since:UInt32}, 'UTC') AND block_number <= {head:UInt32}
    AND kind IN ('native', 'internal', 'fungible') AND asset IN {assets:Array(String)}
    AND counterparty NOT IN ('', address) AND counterparty NOT IN {services:Array(String)}
  GROUP BY address, counterparty, asset
) AS v
GROUP BY address, counterparty
HAVING cents >= {least_cents:UInt32}
ORDER BY address, cents DESC, counterparty
LIMIT 100 BY address
