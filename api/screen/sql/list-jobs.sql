-- Jobs of an account, newest first.
SELECT id, state, operation, rows, toUnixTimestamp64Milli(created) AS created
FROM screen_jobs FINAL
WHERE account = {account:String} AND expires > now() AND state != 'deleted'
ORDER BY created DESC, id
LIMIT {limit:UInt32}
