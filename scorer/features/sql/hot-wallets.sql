-- Which of the wallets have hot rows.
SELECT DISTINCT address
FROM wallet_facts_hot
WHERE network = {network:String} AND address IN {addresses:Array(String)}
