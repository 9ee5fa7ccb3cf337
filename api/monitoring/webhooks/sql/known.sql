-- Which of some deliveries there are.
SELECT DISTINCT endpoint, id
FROM webhook_deliveries
WHERE endpoint IN {endpoints:Array(String)} AND id IN {ids:Array(String)}
