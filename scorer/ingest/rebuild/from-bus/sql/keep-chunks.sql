-- The position on a topic that was not read again, in the next epoch as well.
INSERT INTO ingest_chunks
SELECT * REPLACE ({epoch:UInt32} AS epoch) FROM ingest_chunks FINAL
WHERE topic = {topic:String} AND epoch = {epoch:UInt32} - 1
ORDER BY ALL
