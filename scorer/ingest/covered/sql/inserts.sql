-- Number of chunks and moves begun on all networks, which shows how far the deduplication windows have advanced.
SELECT sum(begun) AS inserts
FROM (SELECT max(inserts) AS begun FROM covered_ranges GROUP BY network, epoch)
