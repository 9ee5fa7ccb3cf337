-- The newest record of a contract that is kept.
SELECT body
FROM contract_history
WHERE network = {network:String} AND address = {address:String}
ORDER BY version DESC
LIMIT 1
