-- Who moved what in some transactions, in one direction: given to contracts of bridges (`takers`), or got from anybody where there are none.
SELECT address, tx_hash AS tx, asset, toString(l.amount) AS amount
FROM {ledger_table:Identifier} AS l
WHERE network = {network:String} AND tx_hash IN {transactions:Array(String)} AND direction = {direction:Int8}
  AND (empty({takers:Array(String)}) OR counterparty IN {takers:Array(String)})
  AND (empty({addresses:Array(String)}) OR address IN {addresses:Array(String)})
  AND kind IN ('native', 'internal', 'fungible') AND l.amount > 0
ORDER BY l.position
