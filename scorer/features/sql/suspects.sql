-- Counterparties of the wallets that a label or a list may speak of, in either tier: few are, and what is said of them
-- costs much more to ask. Looked up by counterparty, so that long lists cost nothing. `edges` is wallet_edges or
-- wallet_edges_all.
SELECT DISTINCT address
FROM (
  SELECT network, address FROM address_labels
  UNION ALL
  SELECT network, subject AS address FROM authority_listings
  UNION ALL
  SELECT network, subject AS address FROM authority_hot
)
WHERE network = {network:String} AND address IN (
  SELECT counterparty FROM {edges:Identifier}
  WHERE network = {network:String} AND address IN {addresses:Array(String)}
)
