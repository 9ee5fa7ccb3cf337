-- How many alerts an account has in each state.
SELECT now_state AS state, count() AS alerts
FROM (
  SELECT argMax(alert_entries.state, entry) AS now_state
  FROM alert_entries FINAL
  WHERE account = {account:String}
    AND alert_entries.network IN {networks:Array(String)} AND alert_entries.operation IN {operations:Array(String)}
  GROUP BY alert
)
GROUP BY now_state
