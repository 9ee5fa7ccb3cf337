WITH epochs AS (SELECT network, max(epoch) AS epoch FROM network_epochs GROUP BY network)
SELECT
  covered_ranges.network AS network,
  min(first_block) AS first_block,
  max(last_block) AS last_block
FROM covered_ranges FINAL
LEFT JOIN epochs ON epochs.network = covered_ranges.network
WHERE claimed_by = '' AND covered_ranges.epoch >= epochs.epoch
GROUP BY network
ORDER BY network
