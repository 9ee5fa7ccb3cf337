SELECT
  status, probability, model_version, data_height, toUnixTimestamp(r.computed_at) AS computed_at
FROM record_history AS r
WHERE network = {network:String} AND address = {address:String}
ORDER BY version DESC
LIMIT 1 BY version
LIMIT {most:UInt32}
SETTINGS max_threads = 1
