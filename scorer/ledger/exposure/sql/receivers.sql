-- Receivers of payments from the addresses, newest first, limited per address.
SELECT DISTINCT counterparty AS address
FROM (
  SELECT address, counterparty, max(e.last_seen) AS last_paid
  FROM {unmerged_wallet_edges_table:Identifier} AS e
  WHERE network = {network:String} AND address IN {addresses:Array(String)}
  GROUP BY address, counterparty
  HAVING sum(e.native_out_count) + sum(e.token_out_count) > 0
  ORDER BY address, last_paid DESC, counterparty
  LIMIT {limit:UInt32} BY address
)
