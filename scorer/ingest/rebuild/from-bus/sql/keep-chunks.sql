-- Copies the position on a topic that was not read again to the next epoch.
INSERT INTO ingest_chunks
SELECT * REPLACE ({epoch:UInt32} AS epoch) FROM ingest_chunks FINAL
WHERE topic = {topic:String} AND epoch = {epoch:UInt32} - 1
ORDER BY ALL
