-- Ranges of blocks that are in the final tables, as the ledger of ingest has them.
SELECT first_block AS first, last_block AS last
FROM covered_ranges FINAL
WHERE network = {network:String} AND claimed_by = ''
  AND epoch = (SELECT max(epoch) FROM covered_ranges WHERE network = {network:String})
ORDER BY first
