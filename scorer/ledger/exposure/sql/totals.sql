-- Total value of the addresses' movements of priced assets, valued as in `movements.sql`.
SELECT address,
  sum(least(toFloat64(amount) * transform(asset, {assets:Array(String)}, {units:Array(Float64)}, 0.),
    transform(asset, {assets:Array(String)}, {caps:Array(Float64)}, 0.))) AS usd
FROM {ledger_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND block_number <= {head:UInt32}
  AND kind IN ('native', 'internal', 'fungible', 'wrap') AND amount > 0 AND counterparty NOT IN ('', address)
  AND asset IN {assets:Array(String)}
GROUP BY address
