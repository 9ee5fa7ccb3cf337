-- First creation of a contract.
SELECT root_creator, creator, toUnixTimestamp(block_time) AS time
FROM creations_all
WHERE network = {network:String} AND contract = {contract:String} AND event = 'create'
ORDER BY position
LIMIT 1
