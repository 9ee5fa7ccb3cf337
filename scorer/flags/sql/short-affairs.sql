-- Accounts the wallets sent coins to and got something from, all of it within `within` seconds.
SELECT address AS sink, counterparty AS account, toUnixTimestamp(first_seen) AS first_seen, toUnixTimestamp(last_seen) AS last_seen
FROM wallet_edges_all
WHERE network = {network:String} AND address IN {addresses:Array(String)}
  AND native_out_count > 0 AND native_in_count + token_in_count > 0
  AND toUnixTimestamp(last_seen) - toUnixTimestamp(first_seen) <= {within:UInt32}
ORDER BY sink, last_seen
LIMIT 200 BY sink
