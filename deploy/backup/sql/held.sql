SELECT
  network,
  min(first_block) AS first_block,
  max(last_block) AS last_block
FROM covered_ranges FINAL
WHERE claimed_by = ''
GROUP BY network
ORDER BY network
