-- Enters another state of the watermark. Everything else stays.
INSERT INTO watermarks
SELECT * REPLACE (version + 1 AS version, {state:String} AS state, now64(3) AS updated_at)
FROM watermarks
WHERE network = {network:String}
ORDER BY version DESC
LIMIT 1
