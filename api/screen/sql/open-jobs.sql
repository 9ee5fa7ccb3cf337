-- Jobs that have work left and are held by nobody who lives, the one that waited longest first.
SELECT id, account
FROM screen_jobs FINAL
WHERE state IN ('waiting', 'running') AND expires > now()
  AND held_until <= fromUnixTimestamp64Milli({now:Int64}, 'UTC')
ORDER BY moved, id
LIMIT 100
