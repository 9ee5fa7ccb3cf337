-- Amounts of the tokens that entered and left the pools, by transaction in order, in base units. At most `limit` rows per pool.
SELECT address AS pool, toString(bitShiftRight(l.position, 19)) AS nth, asset,
  toString(sumIf(l.amount, direction = 1)) AS came, toString(sumIf(l.amount, direction = -1)) AS went
FROM {ledger_table:Identifier} AS l
WHERE network = {network:String} AND address IN {pools:Array(String)} AND asset IN {assets:Array(String)} AND kind = 'fungible'
GROUP BY address, bitShiftRight(l.position, 19), asset
ORDER BY pool, bitShiftRight(l.position, 19), asset
LIMIT {limit:UInt32} BY pool
