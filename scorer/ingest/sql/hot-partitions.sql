-- Partitions of the hot tables that lie completely at or below a height. A partition holds 256 heights of one network.
SELECT DISTINCT table, toUInt64OrZero(extract(partition, ',(\\d+)\\)$')) AS bucket
FROM system.parts
WHERE database = currentDatabase() AND active AND endsWith(table, '_hot')
  AND startsWith(partition, concat('(\'', {network:String}, '\','))
  AND (bucket + 1) * 256 - 1 <= {height:UInt32}
