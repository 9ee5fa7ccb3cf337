-- Of which addresses, and of which counterparties of some wallets, a label or a list may speak: few are, and what is said of
-- them costs much more to ask. Looked up by counterparty, so that long lists cost nothing. Rows may come twice. `edges` is
-- wallet_edges or wallet_counterparties.
SELECT network, address, listed
FROM labelled_addresses
WHERE (network IN {networks:Array(String)} AND address IN {addresses:Array(String)})
  OR (network = {network:String} AND address IN (
    SELECT counterparty FROM {edges:Identifier}
    WHERE network = {network:String} AND address IN {dealers:Array(String)}
  ))
