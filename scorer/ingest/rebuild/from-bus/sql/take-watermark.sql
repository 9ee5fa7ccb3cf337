-- The newest watermark of the new tables, as the next version of the one in use.
INSERT INTO watermarks
SELECT * REPLACE ((SELECT max(version) + 1 FROM watermarks WHERE network = {network:String}) AS version, now64(3) AS updated_at)
FROM (SELECT * FROM {from:Identifier}.watermarks WHERE network = {network:String} ORDER BY version DESC LIMIT 1)
