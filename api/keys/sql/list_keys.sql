SELECT
  id,
  tier,
  label,
  toString(hash) AS hash,
  prefix,
  toUnixTimestamp64Milli(created) AS created,
  toUnixTimestamp64Milli(expires) AS expires,
  revoked,
  replaced,
  operations,
  networks,
  sources,
  test,
  version
FROM api_keys FINAL
ORDER BY created, id
