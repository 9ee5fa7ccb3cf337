-- The job of an id.
SELECT id, account, operation, state, upload, rows, malformed, distinct, look_alikes, fingerprint, holder, reason, toString(version) AS version,
  toUnixTimestamp64Milli(held_until) AS held_until, toUnixTimestamp64Milli(moved) AS moved,
  toUnixTimestamp64Milli(created) AS created, toUnixTimestamp64Milli(started) AS started,
  toUnixTimestamp64Milli(finished) AS finished, toUnixTimestamp(expires) AS expires
FROM screen_jobs FINAL
WHERE id = {id:String} AND expires > now()
