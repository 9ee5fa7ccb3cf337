-- Which of the receivers ever sent something to the writers.
SELECT DISTINCT address, counterparty AS receiver
FROM {ledger_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND direction = 1
  AND counterparty IN {receivers:Array(String)} AND amount > 0
ORDER BY address, receiver
