-- Alerts of an account as they are now, newest first, without what changed.
SELECT alert, of_network AS network, of_address AS address, of_operation AS operation, now_state AS state, now_outcome AS outcome,
  revision, comments, by_key AS key, by_author AS author, toUnixTimestamp64Milli(made) AS created, toUnixTimestamp64Milli(moved) AS changed
FROM (
  SELECT alert, any(alert_entries.network) AS of_network, any(alert_entries.address) AS of_address,
    any(alert_entries.operation) AS of_operation, argMax(alert_entries.state, entry) AS now_state,
    argMax(alert_entries.outcome, entry) AS now_outcome, max(entry) AS revision,
    argMax(alert_entries.key, entry) AS by_key, argMax(alert_entries.author, entry) AS by_author,
    toUInt32(countIf(alert_entries.comment != '')) AS comments, any(alert_entries.created) AS made,
    argMax(alert_entries.at, entry) AS moved
  FROM alert_entries FINAL
  WHERE account = {account:String}
    AND ({network:String} = '' OR alert_entries.network = {network:String})
    AND ({address:String} = '' OR alert_entries.address = {address:String})
    AND ({direction:String} = '' OR alert_entries.direction = {direction:String})
    AND alert_entries.network IN {networks:Array(String)} AND alert_entries.operation IN {operations:Array(String)}
    AND (alert_entries.created, alert) < (fromUnixTimestamp64Milli({before:Int64}, 'UTC'), {beforeAlert:String})
  GROUP BY alert
)
WHERE ({state:String} = '' OR now_state = {state:String}) AND ({author:String} = '' OR by_author = {author:String})
ORDER BY made DESC, alert DESC
LIMIT {limit:UInt32}
