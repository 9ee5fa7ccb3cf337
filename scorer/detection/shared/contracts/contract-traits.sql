-- What tells which detectors have to look at the contracts: how they were created and used, and what they call themselves.
SELECT
  f.address AS contract, toUInt32(f.created) AS created, toUnixTimestamp(f.first_seen) AS first_seen,
  toUInt32(f.approvers) AS approvers, toUInt32(f.received_from) AS callers,
  toUInt32(f.native_in_count) AS native_in, toUInt32(f.native_out_count) AS native_out,
  t.name AS name, t.symbol AS symbol
FROM (
  SELECT address, created, first_seen, approvers, received_from, native_in_count, native_out_count
  FROM {wallet_features_table:Identifier}
  WHERE network = {network:String} AND address IN {contracts:Array(String)}
) AS f
LEFT JOIN (
  SELECT token, argMin(name, position) AS name, argMin(symbol, position) AS symbol
  FROM {tokens_table:Identifier}
  WHERE network = {network:String} AND token IN {contracts:Array(String)} AND standard = 'erc20'
  GROUP BY token
) AS t ON t.token = f.address
ORDER BY contract
