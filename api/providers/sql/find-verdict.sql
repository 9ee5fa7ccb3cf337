SELECT
  status, probability, reasons, unknowns, model_version AS modelVersion, data_height AS dataHeight,
  toUnixTimestamp(computed_at) AS computedAt
FROM wallet_records
WHERE network = {network:String} AND address = {address:String}
ORDER BY version DESC
LIMIT 1
SETTINGS max_threads = 1
