-- Which of the addresses, and of the counterparties of `dealers`, have a label or listing. Looks up by counterparty, so that long lists
-- cost nothing. Two halves, because each condition alone uses the primary key. Rows may repeat.
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
