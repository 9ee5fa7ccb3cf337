-- The last compared verdicts of some addresses.
SELECT network, address, operation, toUInt64(version) AS version, verdict
FROM watch_verdicts FINAL
WHERE network IN {networks:Array(String)} AND address IN {addresses:Array(String)}
