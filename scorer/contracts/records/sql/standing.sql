-- State of some records: their block, when they were made, and when a new analysis was last postponed.
SELECT r.address AS address, argMax(least(r.data_height, r.tables_height), r.version) AS height,
  toString(max(r.version)) AS version, toString(any(waiting.version)) AS put_off
FROM contract_records AS r
LEFT JOIN (
  SELECT address, version FROM contract_retries FINAL
  WHERE network = {network:String} AND settled = 0 AND address IN {addresses:Array(String)}
) AS waiting ON waiting.address = r.address
WHERE r.network = {network:String} AND r.address IN {addresses:Array(String)}
GROUP BY r.address
