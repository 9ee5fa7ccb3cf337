-- Chunks and moves that were begun and not finished. A repetition after RESTORE would count their rows twice, because
-- RESTORE does not bring back which inserts a table has seen.
SELECT concat('chunk of ', topic) AS what
FROM ingest_chunks
GROUP BY topic, epoch, partition, log, first_offset, last_offset
HAVING max(done) = 0
UNION ALL
SELECT DISTINCT concat('blocks of ', network, ' claimed by ', claimed_by)
FROM covered_ranges FINAL
WHERE claimed_by != ''
