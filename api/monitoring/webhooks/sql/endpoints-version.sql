-- What differs as soon as an endpoint does.
SELECT toString(count()) || ' ' || toString(sum(version)) AS version
FROM webhook_endpoints FINAL
