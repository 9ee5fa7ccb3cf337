-- Which of the addresses signed a transaction.
SELECT DISTINCT sender AS address
FROM {transactions_table:Identifier}
WHERE network = {network:String} AND sender IN {addresses:Array(String)}
