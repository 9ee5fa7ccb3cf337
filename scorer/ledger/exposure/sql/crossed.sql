-- Amounts moved in the transactions in one direction: to contracts of bridges (`takers`), or from anybody if `takers` is empty.
SELECT address, tx_hash AS tx, asset, toString(l.amount) AS amount
FROM {ledger_table:Identifier} AS l
WHERE network = {network:String} AND tx_hash IN {transactions:Array(String)} AND direction = {direction:Int8}
  AND (empty({takers:Array(String)}) OR counterparty IN {takers:Array(String)})
  AND (empty({addresses:Array(String)}) OR address IN {addresses:Array(String)})
  AND kind IN ('native', 'internal', 'fungible') AND l.amount > 0
ORDER BY l.position
