-- Highest version of the state of the network's authority logs.
SELECT toString(max(version)) AS version
FROM authority_logs
WHERE network = {network:String}
