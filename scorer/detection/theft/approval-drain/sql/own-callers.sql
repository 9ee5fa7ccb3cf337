-- Which of the owners called which of the contracts themselves, with success.
SELECT DISTINCT sender AS owner, receiver AS contract
FROM {transactions_table:Identifier}
WHERE network = {network:String} AND sender IN {owners:Array(String)} AND receiver IN {contracts:Array(String)} AND status = 1
