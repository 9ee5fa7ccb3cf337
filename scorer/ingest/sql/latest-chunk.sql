-- The newest rows of the ledger of a partition: a chunk has one or two, and the newest chunks come first.
SELECT first_offset, last_offset, done, finalized, log
FROM ingest_chunks
WHERE topic = {topic:String} AND epoch = {epoch:UInt32} AND partition = {partition:UInt16} AND log = {log:String}
ORDER BY first_offset DESC
LIMIT 16
