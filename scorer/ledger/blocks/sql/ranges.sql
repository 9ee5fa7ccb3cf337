-- Ranges of blocks in the final tables, as recorded by ingest.
SELECT first_block AS first, last_block AS last
FROM covered_ranges FINAL
WHERE network = {network:String} AND claimed_by = ''
  AND epoch = (SELECT max(epoch) FROM covered_ranges WHERE network = {network:String})
ORDER BY first
