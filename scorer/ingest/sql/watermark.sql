SELECT version, epoch, log, state, settled, target
FROM watermarks
WHERE network = {network:String}
ORDER BY version DESC
LIMIT 1
