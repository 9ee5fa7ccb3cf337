-- Total receipts of the contracts by asset, and the ten largest receivers of it, in base units.
SELECT address AS contract, asset, counterparty AS taker, toFloat64(sumIf(l.amount, direction = -1)) AS went,
  sum(toFloat64(sumIf(l.amount, direction = 1))) OVER (PARTITION BY address, asset) AS came
FROM {ledger_table:Identifier} AS l
WHERE network = {network:String} AND address IN {contracts:Array(String)} AND asset IN {assets:Array(String)} AND kind = 'fungible'
GROUP BY address, asset, counterparty
ORDER BY address, asset, went DESC, taker
LIMIT 10 BY address, asset
