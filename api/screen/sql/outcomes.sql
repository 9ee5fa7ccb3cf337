-- How many rows of an upload are done, by status.
SELECT status, count() AS rows
FROM screen_results FINAL
WHERE upload = {upload:String}
GROUP BY status
