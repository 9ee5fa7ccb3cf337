-- Rows of the jobs that an account began since a time, deleted ones included, when the first of them was begun, and jobs not done.
SELECT
  sumIf(rows, toUnixTimestamp64Milli(created) > {since:Int64}) AS rows,
  minIf(toUnixTimestamp64Milli(created), toUnixTimestamp64Milli(created) > {since:Int64}) AS oldest,
  countIf(state IN ('waiting', 'running')) AS open
FROM screen_jobs FINAL
WHERE account = {account:String} AND expires > now()
