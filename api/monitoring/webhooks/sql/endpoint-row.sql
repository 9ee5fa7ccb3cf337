-- A row of an endpoint as it was written under a version.
SELECT state, url, description, operations, networks, directions, secret, old_secret
FROM webhook_endpoints
WHERE id = {id:String} AND version = {version:UInt64}
LIMIT 1
