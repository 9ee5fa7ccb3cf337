-- Of each chain the newest entry before which, itself included, all entries are older than a time.
SELECT chain, toString(seq) AS last, hash, toUnixTimestamp64Milli(at) AS ms
FROM audit_log
WHERE (chain, seq) IN
(
  SELECT chain, if(countIf(fresh) = 0, max(seq), toUInt64(minIf(seq, fresh) - 1))
  FROM (SELECT chain, seq, at >= fromUnixTimestamp64Milli({before:Int64}, 'UTC') AS fresh FROM audit_log)
  GROUP BY chain
  HAVING countIf(NOT fresh) > 0
)
LIMIT 1 BY chain
