-- Chunks and moves that all networks have begun: how far the deduplication windows have turned.
SELECT sum(begun) AS inserts
FROM (SELECT max(inserts) AS begun FROM covered_ranges GROUP BY network, epoch)
