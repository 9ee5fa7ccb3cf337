-- Partitions of a network's hot tables in a database. A partition holds 256 heights.
SELECT DISTINCT table, toUInt64OrZero(extract(partition, ',(\\d+)\\)$')) AS bucket
FROM system.parts
WHERE database = {database:String} AND active AND endsWith(table, '_hot')
  AND startsWith(partition, concat('(\'', {network:String}, '\','))
