-- What the tables of a network hold, as text that changes with every chunk and every move.
SELECT concat(
  toString((SELECT max(version) FROM watermarks WHERE network = {network:String} AND state != 'rebuilding')), '/',
  toString((SELECT uniqExact(topic, partition, first_offset, done) FROM ingest_chunks FINAL WHERE topic IN {topics:Array(String)})), '/',
  toString((SELECT max(updated_at) FROM ingest_chunks WHERE topic IN {topics:Array(String)}))
) AS position
