-- Newest analyses of some contracts.
SELECT network, address, toUInt64(version) AS version, body, reasons, unknowns, model_version, data_height
FROM contract_records
WHERE network IN {networks:Array(String)} AND address IN {addresses:Array(String)}
ORDER BY version DESC
LIMIT 1 BY network, address
