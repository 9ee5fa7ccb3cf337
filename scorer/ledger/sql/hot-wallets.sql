-- Which wallets have hot rows, including rows that were undone.
SELECT DISTINCT address
FROM facts_hot
WHERE network = {network:String} AND address IN {addresses:Array(String)}
  AND block_number > {settled:UInt32} AND block_number <= {head:UInt32}
