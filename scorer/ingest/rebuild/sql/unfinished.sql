-- Chunks and moves of a network in its current epoch that were begun and not completed.
SELECT 'chunk' AS what, concat(topic, ':', toString(partition), ':', toString(first_offset), '-', toString(last_offset)) AS name
FROM ingest_chunks
WHERE topic IN {topics:Array(String)}
  AND epoch >= (SELECT max(epoch) FROM network_epochs WHERE network = {network:String})
GROUP BY topic, epoch, partition, log, first_offset, last_offset
HAVING max(done) = 0
UNION ALL
SELECT state AS what, concat('to ', toString(target)) AS name
FROM (SELECT state, target FROM watermarks WHERE network = {network:String} ORDER BY version DESC LIMIT 1)
WHERE state IN ('moving', 'undoing')
