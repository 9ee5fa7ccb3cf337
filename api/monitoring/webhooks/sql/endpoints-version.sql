-- What differs as soon as an endpoint does.
SELECT toString(count()) || ' ' || toString(max(version)) AS version
FROM webhook_endpoints
