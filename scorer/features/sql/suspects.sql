-- Counterparties of the wallets that a label or a list may speak of, in either tier: few are, and what is said of them
-- costs much more to ask. Looked up by counterparty, so that long lists cost nothing. `edges` is wallet_edges or
-- wallet_edges_all.
WITH dealt AS (
  SELECT DISTINCT counterparty
  FROM {edges:Identifier}
  WHERE network = {network:String} AND address IN {addresses:Array(String)}
)
SELECT DISTINCT address
FROM (
  SELECT address FROM address_labels
  WHERE network = {network:String} AND address IN (SELECT counterparty FROM dealt)
  UNION ALL
  SELECT subject AS address FROM authority_listings
  WHERE network = {network:String} AND subject IN (SELECT counterparty FROM dealt)
  UNION ALL
  SELECT subject AS address FROM authority_hot
  WHERE network = {network:String} AND subject IN (SELECT counterparty FROM dealt)
)
