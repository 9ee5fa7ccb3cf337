-- The newest profile of a wallet.
SELECT
  quality, segment_letter, rating, reasons, model_version, data_height,
  toUnixTimestamp(r.computed_at) AS computed_at
FROM (
  SELECT * FROM profile_records
  WHERE network = {network:String} AND address = {address:String}
  ORDER BY version DESC
  LIMIT 1
) AS r
SETTINGS max_threads = 1
