SELECT
  status, probability, model_version AS modelVersion, data_height AS dataHeight, toUnixTimestamp(computed_at) AS computedAt
FROM record_history
WHERE network = {network:String} AND address = {address:String}
ORDER BY version DESC
LIMIT 1 BY version
LIMIT {most:UInt32}
SETTINGS max_threads = 1
