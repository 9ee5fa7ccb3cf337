-- Lists with labels whose wallets were not queued for scoring since: time of the first such fetch, and when the newest labels were written.
SELECT u.source AS source, toString(max(u.generation)) AS generation, toUnixTimestamp64Milli(min(u.at)) AS since,
  toUnixTimestamp64Milli(argMaxIf(u.at, u.generation, u.outcome = 'applied')) AS applied_at
FROM label_updates AS u
LEFT JOIN (
  SELECT source, max(generation) AS generation FROM label_updates WHERE outcome = 'queued' GROUP BY source
) AS q ON q.source = u.source
WHERE u.generation > q.generation AND u.outcome IN ('running', 'applied')
GROUP BY u.source
HAVING countIf(u.outcome = 'applied') > 0
ORDER BY source
