-- What decides whether tables can lie on this server as they are asked to.
SELECT
  (SELECT any(engine) FROM system.databases WHERE name = currentDatabase()) AS database_engine,
  (SELECT count() FROM system.tables WHERE database = currentDatabase() AND engine LIKE 'Replicated%MergeTree') AS replicated,
  (SELECT count() FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND engine NOT LIKE 'Replicated%') AS plain,
  (SELECT uniqExact(shard_num) FROM system.clusters WHERE cluster = {cluster:String}) AS shards,
  (SELECT any(substitution) FROM system.macros WHERE macro = 'shard') AS shard,
  (SELECT any(substitution) FROM system.macros WHERE macro = 'replica') AS replica
