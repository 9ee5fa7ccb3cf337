-- Newest record of a contract in its history.
SELECT body
FROM contract_history
WHERE network = {network:String} AND address = {address:String}
ORDER BY version DESC
LIMIT 1
