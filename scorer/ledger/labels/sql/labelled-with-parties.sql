-- Which of the addresses, and of the counterparties of some wallets, have a label or are on a list. Looked up by counterparty, so that
-- long lists cost nothing. In two halves, because either condition alone is found by the primary key. Rows may come twice.
SELECT network, address, listed
FROM labelled_addresses
WHERE network IN {networks:Array(String)} AND address IN {addresses:Array(String)}
UNION ALL
SELECT network, address, listed
FROM labelled_addresses
WHERE network = {network:String} AND address IN (
  SELECT counterparty FROM {counterparties_table:Identifier}
  WHERE network = {network:String} AND address IN {dealers:Array(String)}
)
