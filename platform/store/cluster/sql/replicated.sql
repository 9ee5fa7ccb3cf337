-- Replicated tables, and whether they forget tokens after a week, as versions before this one created them.
SELECT name, position(create_table_query, 'deduplication_window_seconds = 604800') > 0 AS forgets
FROM system.tables
WHERE database = currentDatabase() AND engine LIKE 'Replicated%MergeTree'
ORDER BY name
