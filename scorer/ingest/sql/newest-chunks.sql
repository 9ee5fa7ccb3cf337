-- The newest chunk of every partition of the topics, for each identity of a topic, most recently written first.
SELECT topic, partition, log,
  tupleElement(max((c.first_offset, c.done, c.last_offset)) AS newest, 1) AS first_offset,
  tupleElement(newest, 2) AS done,
  tupleElement(newest, 3) AS last_offset,
  max(c.finalized) AS finalized
FROM ingest_chunks AS c
WHERE topic IN {topics:Array(String)} AND epoch = {epoch:UInt32} AND log != ''
GROUP BY topic, partition, log
ORDER BY max(c.updated_at) DESC
