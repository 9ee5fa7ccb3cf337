INSERT INTO ingest_chunks
SELECT * FROM {from:Identifier}.ingest_chunks FINAL
WHERE topic IN {topics:Array(String)} AND epoch = {epoch:UInt32}
ORDER BY ALL
