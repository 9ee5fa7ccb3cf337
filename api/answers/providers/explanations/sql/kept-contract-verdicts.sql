-- What a verdict on a contract was, newest first. The hash is over what is kept of it, so that anybody who has the tables can make it again.
SELECT
  version, status, probability, risk_score, body, reasons, unknowns, model_version, data_height, tables_height,
  toUnixTimestamp(r.computed_at) AS computed_at,
  lower(hex(SHA256(arrayStringConcat([
    network, address, toString(version), status, toString(probability), toString(risk_score), model_version, toString(data_height),
    toString(toUnixTimestamp(r.computed_at)), body, reasons, unknowns
  ], '\n')))) AS hash
FROM contract_history AS r
WHERE network = {network:String} AND address = {address:String} AND version <= {upTo:UInt64}
ORDER BY version DESC
LIMIT 1 BY version
LIMIT {most:UInt32}
SETTINGS max_threads = 1
