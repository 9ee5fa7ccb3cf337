-- Calls of some keys by day and operation.
SELECT toString(day) AS on_day, key, operation, status, sum(calls) AS sum
FROM usage
WHERE key IN {keys:Array(String)} AND day BETWEEN {from:Date} AND {to:Date}
GROUP BY day, key, operation, status
ORDER BY day, key, operation, status
LIMIT 100000
