-- First and last time that the takers signed a transfer of coins or resources to the accounts.
SELECT sender AS taker, receiver AS account, toUnixTimestamp(min(block_time)) AS first, toUnixTimestamp(max(block_time)) AS last
FROM {transactions_table:Identifier}
WHERE network = {network:String} AND sender IN {takers:Array(String)} AND receiver IN {accounts:Array(String)} AND status = 1
GROUP BY taker, account
