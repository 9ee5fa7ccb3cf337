-- Records of wallets: the newest of each, and older ones that are not merged away yet. Filtering those here would double the cost.
SELECT network, address, version, status, probability, body, reasons, unknowns, model_version, data_height, offence,
  toUInt8(offence_hops) AS offence_hops,
  toUnixTimestamp(created_at) AS created_at, toUnixTimestamp(computed_at) AS computed_at
FROM wallet_records
WHERE network IN {networks:Array(String)} AND address IN {addresses:Array(String)}
