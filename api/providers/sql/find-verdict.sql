SELECT
  status, probability, reasons, unknowns, model_version, data_height,
  toUnixTimestamp(r.computed_at) AS computed_at
FROM wallet_records AS r
WHERE network = {network:String} AND address = {address:String}
ORDER BY version DESC
LIMIT 1
SETTINGS max_threads = 1
