-- Chunks and moves that were begun and not finished. A repetition after RESTORE would count their rows twice, because
-- RESTORE does not bring back which inserts a table has seen. What is of before the last rebuild is never repeated.
WITH epochs AS (SELECT network, max(epoch) AS epoch FROM network_epochs GROUP BY network)
SELECT concat('chunk of ', topic) AS what
FROM ingest_chunks
LEFT JOIN epochs ON epochs.network = splitByChar('.', toString(topic))[2]
GROUP BY topic, ingest_chunks.epoch, partition, log, first_offset, last_offset
HAVING max(done) = 0 AND ingest_chunks.epoch >= max(epochs.epoch)
UNION ALL
SELECT DISTINCT concat('blocks of ', covered_ranges.network, ' claimed by ', claimed_by)
FROM covered_ranges FINAL
LEFT JOIN epochs ON epochs.network = covered_ranges.network
WHERE claimed_by != '' AND covered_ranges.epoch >= epochs.epoch
