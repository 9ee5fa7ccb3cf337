-- What changed, of some alerts.
SELECT alert, body
FROM alert_entries FINAL
WHERE account = {account:String} AND alert IN {alerts:Array(String)} AND entry = 0
