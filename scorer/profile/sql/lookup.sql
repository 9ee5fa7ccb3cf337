-- Newest profiles of the wallets, with the version of their newest fraud record.
SELECT p.network AS network, p.address AS address, p.version AS version, p.body AS body,
  p.data_height AS data_height, p.unsure AS unsure, r.version AS scored
FROM (
  SELECT toString(network) AS network, address, version, data_height,
    arrayExists(unknown -> position(unknown, {words:String}) > 0, unknowns) AS unsure,
    multiIf({operation:String} = 'fraud_audit', audit, {operation:String} = 'wallet_segment', segment, credit) AS body
  FROM profile_records
  WHERE network IN {networks:Array(String)} AND address IN {addresses:Array(String)}
  ORDER BY version DESC
  LIMIT 1 BY network, address
) AS p
LEFT JOIN (
  SELECT toString(network) AS network, address, max(version) AS version
  FROM wallet_records
  WHERE network IN {networks:Array(String)} AND address IN {addresses:Array(String)}
  GROUP BY network, address
) AS r ON r.network = p.network AND r.address = p.address
