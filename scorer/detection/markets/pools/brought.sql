-- What accounts moved out in transactions beyond what came in, by asset, in base units.
SELECT address AS actor, tx_hash, asset,
  toString(sumIf(toInt256(l.amount), direction = -1) - sumIf(toInt256(l.amount), direction = 1)) AS amount
FROM {ledger_table:Identifier} AS l
WHERE network = {network:String} AND address IN {actors:Array(String)} AND tx_hash IN {transactions:Array(String)}
  AND asset IN {assets:Array(String)} AND kind IN ('native', 'internal', 'fungible', 'wrap')
GROUP BY actor, tx_hash, asset
