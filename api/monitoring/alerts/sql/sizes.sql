-- Bytes that the entries of some alerts hold.
SELECT alert, toFloat64(sum(length(comment) + length(body))) AS bytes
FROM alert_entries FINAL
WHERE account = {account:String} AND alert IN {alerts:Array(String)}
GROUP BY alert
