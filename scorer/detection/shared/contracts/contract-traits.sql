-- Traits of contracts that decide which detectors examine them: creation, use and token name. A contract is no older than its creation, if
-- that is known: anybody can name an address long before there is a contract at it.
SELECT
  f.address AS contract, toUInt32(f.created) AS created, if(c.born > 0, c.born, toUnixTimestamp(f.first_seen)) AS born,
  toUInt32(f.approvers) AS approvers, toUInt32(f.received_from) AS callers,
  toUInt32(f.native_in_count) AS native_in, toUInt32(f.native_out_count) AS native_out,
  t.name AS name, t.symbol AS symbol
FROM (
  SELECT address, created, first_seen, approvers, received_from, native_in_count, native_out_count
  FROM {wallet_features_table:Identifier}
  WHERE network = {network:String} AND address IN {contracts:Array(String)}
) AS f
LEFT JOIN (
  SELECT contract, toUnixTimestamp(min(block_time)) AS born
  FROM {creations_table:Identifier}
  WHERE network = {network:String} AND contract IN {contracts:Array(String)} AND event = 'create'
  GROUP BY contract
) AS c ON c.contract = f.address
LEFT JOIN (
  SELECT token, argMin(name, position) AS name, argMin(symbol, position) AS symbol
  FROM {tokens_table:Identifier}
  WHERE network = {network:String} AND token IN {contracts:Array(String)} AND standard = 'erc20'
  GROUP BY token
) AS t ON t.token = f.address
ORDER BY contract
