-- Records of some wallets: the newest of each, and older ones that no merge has removed yet (sorting them out here would
-- cost as much as the rest).
SELECT network, address, version, status, probability, body, reasons, unknowns, model_version, data_height, offence,
  toUInt8(offence_hops) AS offence_hops,
  toUnixTimestamp(created_at) AS created_at, toUnixTimestamp(computed_at) AS computed_at
FROM wallet_records
WHERE network IN {networks:Array(String)} AND address IN {addresses:Array(String)}
