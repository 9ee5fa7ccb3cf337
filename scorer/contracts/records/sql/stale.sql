-- Records that depend on one of some addresses and are older than its last change. `addresses` and `heights` go in
-- pairs.
SELECT hits.address AS address, toString(known.version) AS version, hits.urgent AS urgent
FROM (
  SELECT address,
    max(transform(watched, {addresses:Array(String)}, {heights:Array(UInt32)}, toUInt32(0))) AS height,
    max(watched IN {urgent:Array(String)}) AS urgent
  FROM contract_watches
  WHERE network = {network:String} AND watched IN {addresses:Array(String)}
  GROUP BY address
) AS hits
INNER JOIN (
  SELECT address, max(r.version) AS version, argMax(least(r.data_height, r.tables_height), r.version) AS height
  FROM contract_records AS r
  WHERE network = {network:String}
    AND address IN (SELECT address FROM contract_watches WHERE network = {network:String} AND watched IN {addresses:Array(String)})
  GROUP BY address
) AS known ON known.address = hits.address
WHERE known.height < hits.height
