-- Wallets that sent native coins to at least `least` accounts from which they also received something.
SELECT address
FROM (
  SELECT address, counterparty
  FROM {unmerged_wallet_edges_table:Identifier} AS e
  WHERE network = {network:String} AND address IN {addresses:Array(String)}
  GROUP BY address, counterparty
  HAVING sum(e.native_out_count) > 0 AND sum(e.native_in_count) + sum(e.token_in_count) > 0
)
GROUP BY address
HAVING count() >= {least:UInt32}
