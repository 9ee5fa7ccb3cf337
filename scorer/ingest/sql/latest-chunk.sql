-- The newest ledger rows of a partition, newest chunk first. A chunk has one or two rows.
SELECT first_offset, last_offset, done, finalized, log
FROM ingest_chunks
WHERE topic = {topic:String} AND epoch = {epoch:UInt32} AND partition = {partition:UInt16} AND log = {log:String}
ORDER BY first_offset DESC
LIMIT 16
