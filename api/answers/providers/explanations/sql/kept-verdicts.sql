-- What a verdict was, newest first. The hash is over what is kept of it, so that anybody who has the tables can make it again.
SELECT
  version, status, probability, reasons, model_version, data_height, toUnixTimestamp(r.computed_at) AS computed_at,
  lower(hex(SHA256(arrayStringConcat([
    network, address, toString(version), status, toString(probability), model_version, toString(data_height),
    toString(toUnixTimestamp(r.computed_at)), reasons
  ], '\n')))) AS hash
FROM record_history AS r
WHERE network = {network:String} AND address = {address:String} AND version <= {upTo:UInt64}
ORDER BY version DESC
LIMIT 1 BY version
LIMIT {most:UInt32}
SETTINGS max_threads = 1
