-- Chunks closed and moves made since a moment: how far the deduplication windows have turned.
SELECT
  (SELECT count() FROM ingest_chunks WHERE done = 1 AND updated_at >= {since:DateTime64(3, 'UTC')})
  + (SELECT uniqExact(network, version) FROM watermarks WHERE updated_at >= {since:DateTime64(3, 'UTC')}) AS inserts
