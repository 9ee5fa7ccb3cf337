-- Parties that the accounts paid in movements they signed, and since when. The wrapped coin is excluded.
SELECT address, counterparty, toUnixTimestamp(first_seen) AS first_seen
FROM {wallet_edges_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND counterparty != {wrapped:String} AND own > 0
  AND native_out_count + token_out_count > 0
ORDER BY address, first_seen
LIMIT 200 BY address
