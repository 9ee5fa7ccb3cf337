-- Jobs that have work left and are held by nobody who lives: of each account the one that waited longest, these first too. An end that is more than `believed` ms
-- away was set by a clock that has been set back since.
SELECT id, account
FROM screen_jobs FINAL
WHERE state IN ('waiting', 'running') AND expires > now()
  AND (held_until <= fromUnixTimestamp64Milli({now:Int64}, 'UTC')
    OR held_until > fromUnixTimestamp64Milli({now:Int64} + {believed:Int64}, 'UTC'))
ORDER BY moved, id
LIMIT 1 BY account
LIMIT 100
