-- Tables and the views they feed, with the number of deduplication tokens each table remembers.
SELECT
  name,
  engine,
  dependencies_table AS views,
  extract(create_table_query, ' TO (?:[^ .]+\\.)?`?(\\w+)`?') AS target,
  toUInt32OrZero(extract(create_table_query, 'deduplication_window = (\\d+)')) AS window
FROM system.tables
WHERE database = currentDatabase() AND (engine LIKE '%MergeTree' OR engine IN ('Null', 'MaterializedView'))
