-- The newest chunk of a partition, and the height the topic has called final so far.
SELECT
  first_offset,
  last_offset,
  max(done) AS done,
  min(updated_at) AS announced_at,
  (SELECT max(finalized) FROM ingest_chunks WHERE topic = {topic:String} AND partition = {partition:UInt16}) AS finalized
FROM ingest_chunks
WHERE topic = {topic:String} AND partition = {partition:UInt16}
GROUP BY first_offset, last_offset
ORDER BY first_offset DESC
LIMIT 1
