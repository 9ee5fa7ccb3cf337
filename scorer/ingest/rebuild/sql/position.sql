-- Position of a network's tables, as a text that changes with every chunk, move and covered block.
SELECT concat(
  toString((SELECT max(version) FROM watermarks WHERE network = {network:String} AND state != 'rebuilding')), '/',
  toString((SELECT max(version) FROM covered_ranges WHERE network = {network:String})), '/',
  toString((
    SELECT uniqExact(topic, epoch, partition, log, first_offset, done) FROM ingest_chunks FINAL WHERE topic IN {topics:Array(String)}
  )), '/',
  toString((SELECT max(updated_at) FROM ingest_chunks WHERE topic IN {topics:Array(String)}))
) AS position
