-- The database in use, and whether its tables are replicated over a cluster.
SELECT currentDatabase() AS database, any(startsWith(engine, 'Replicated')) AS replicated
FROM system.tables
WHERE database = currentDatabase() AND name = 'blocks'
