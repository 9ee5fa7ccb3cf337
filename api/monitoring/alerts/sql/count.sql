-- How many alerts an account has.
SELECT uniqExact(alert) AS alerts
FROM alert_entries
WHERE account = {account:String}
