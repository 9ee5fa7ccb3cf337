-- Identity of the topic that the ledger knows: that of the newest chunk.
SELECT log
FROM ingest_chunks
WHERE topic = {topic:String} AND epoch = {epoch:UInt32} AND log != ''
ORDER BY updated_at DESC
LIMIT 1
