-- What the takers signed that went to the accounts: coins or resources. When, the first time and the last.
SELECT sender AS taker, receiver AS account, toUnixTimestamp(min(block_time)) AS first, toUnixTimestamp(max(block_time)) AS last
FROM {transactions_table:Identifier}
WHERE network = {network:String} AND sender IN {takers:Array(String)} AND receiver IN {accounts:Array(String)} AND status = 1
GROUP BY taker, account
