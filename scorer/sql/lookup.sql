-- Newest records of some wallets.
SELECT network, address, version, status, probability, body, reasons, unknowns, model_version, data_height,
  toUnixTimestamp(created_at) AS created_at, toUnixTimestamp(computed_at) AS computed_at
FROM wallet_records
WHERE network IN {networks:Array(String)} AND address IN {addresses:Array(String)}
ORDER BY network, address, version DESC
LIMIT 1 BY network, address
