-- Since when the takers and the accounts had anything to do with each other.
SELECT address AS taker, counterparty AS account, toUnixTimestamp(min(e.first_seen)) AS since
FROM {unmerged_wallet_edges_table:Identifier} AS e
WHERE network = {network:String} AND address IN {takers:Array(String)} AND counterparty IN {accounts:Array(String)}
GROUP BY taker, account
