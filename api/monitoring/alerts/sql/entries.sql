-- Everything that was done with some alerts, of each the change itself first.
SELECT alert, entry, network, address, operation, body, toUnixTimestamp64Milli(alert_entries.created) AS created,
  toUnixTimestamp64Milli(alert_entries.at) AS at, state, outcome, comment, key, author, toUnixTimestamp(alert_entries.expires) AS expires
FROM alert_entries FINAL
WHERE account = {account:String} AND alert IN {alerts:Array(String)}
ORDER BY alert, entry
