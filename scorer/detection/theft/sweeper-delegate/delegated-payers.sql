-- Authorities that gave native coins to the sinks, with their delegates (EIP-7702), and since when. Delegates with the same code
-- are one family; a delegate without visible code is its own family. `delegators`: number of authorizations of the delegate by
-- anyone.
WITH givers AS (
  SELECT address AS sink, counterparty AS authority
  FROM {wallet_edges_table:Identifier}
  WHERE network = {network:String} AND address IN {addresses:Array(String)} AND counterparty IN {authorities:Array(String)} AND native_in_count > 0
)
SELECT g.sink AS sink, d.authority AS authority, d.delegate AS delegate, if(c.code_hash = '', d.delegate, c.code_hash) AS family,
  toUInt32(n.delegators) AS delegators, d.since AS since
FROM givers AS g
INNER JOIN (
  SELECT authority, delegate, toUnixTimestamp(min(block_time)) AS since
  FROM {delegations_table:Identifier}
  WHERE network = {network:String} AND authority IN {authorities:Array(String)}
    AND delegate NOT IN ('', '0x0000000000000000000000000000000000000000')
  GROUP BY authority, delegate
) AS d ON d.authority = g.authority
LEFT JOIN (
  SELECT contract, argMax(code_hash, position) AS code_hash
  FROM {creations_table:Identifier}
  WHERE network = {network:String} AND event = 'create' AND contract IN (
    SELECT delegate FROM {delegations_table:Identifier} WHERE network = {network:String} AND authority IN {authorities:Array(String)}
  )
  GROUP BY contract
) AS c ON c.contract = d.delegate
LEFT JOIN (
  SELECT address, delegators FROM {wallet_features_table:Identifier}
  WHERE network = {network:String} AND address IN (
    SELECT delegate FROM {delegations_table:Identifier} WHERE network = {network:String} AND authority IN {authorities:Array(String)}
  )
) AS n ON n.address = d.delegate
ORDER BY sink, family, authority, since, delegate
LIMIT 1000 BY sink
