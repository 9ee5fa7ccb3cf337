-- The newest analysis of a contract.
SELECT
  status, probability, risk_score, token, family_hash, reasons, unknowns, facts, model_version, data_height, tables_height,
  toUnixTimestamp(r.computed_at) AS computed_at
FROM (
  SELECT * FROM contract_records
  WHERE network = {network:String} AND address = {address:String}
  ORDER BY version DESC
  LIMIT 1
) AS r
SETTINGS max_threads = 1
