-- Endpoints with how they answer.
SELECT id, endpoints.version AS version, account, state, url, description, operations, networks, directions, secret, old_secret,
  toUnixTimestamp64Milli(old_until) AS old_until, toUnixTimestamp64Milli(created) AS created,
  toUnixTimestamp64Milli(enabled) AS enabled, toUnixTimestamp64Milli(failing_since) AS failing_since, failures,
  toUnixTimestamp64Milli(disabled) AS disabled, reason
FROM
(
  SELECT *
  FROM webhook_endpoints FINAL
  WHERE state != 'deleted' AND ({account:String} = '' OR account = {account:String})
) AS endpoints
LEFT JOIN (SELECT * FROM webhook_health FINAL) AS health ON health.endpoint = endpoints.id
ORDER BY created, id
