-- Accounts the wallets sent coins to and got something from, all of it within `within` seconds.
SELECT address AS sink, counterparty AS account, toUnixTimestamp(min(e.first_seen)) AS first_seen, toUnixTimestamp(max(e.last_seen)) AS last_seen
FROM {unmerged_wallet_edges_table:Identifier} AS e
WHERE network = {network:String} AND address IN {addresses:Array(String)}
GROUP BY address, counterparty
HAVING sum(e.native_out_count) > 0 AND sum(e.native_in_count) + sum(e.token_in_count) > 0
  AND toUnixTimestamp(max(e.last_seen)) - toUnixTimestamp(min(e.first_seen)) <= {within:UInt32}
ORDER BY sink, last_seen
LIMIT 200 BY sink
