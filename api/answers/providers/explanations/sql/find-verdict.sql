-- The newest verdict on a wallet, unless it is withdrawn.
SELECT
  status, probability, reasons, unknowns, model_version, data_height,
  toUnixTimestamp(r.computed_at) AS computed_at
FROM (
  SELECT * FROM wallet_records
  WHERE network = {network:String} AND address = {address:String}
  ORDER BY version DESC
  LIMIT 1
) AS r
WHERE body != ''
SETTINGS max_threads = 1
