-- How far the partitions of topic records were compared.
SELECT partition, toString(next) AS next, toString(until) AS until, toUnixTimestamp64Milli(learned) AS learned, behind
FROM monitor_positions FINAL
ORDER BY partition
