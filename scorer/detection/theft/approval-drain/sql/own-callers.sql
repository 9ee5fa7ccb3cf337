-- Which of the owners successfully called which of the contracts.
SELECT DISTINCT sender AS owner, receiver AS contract
FROM {transactions_table:Identifier}
WHERE network = {network:String} AND sender IN {owners:Array(String)} AND receiver IN {contracts:Array(String)} AND status = 1
