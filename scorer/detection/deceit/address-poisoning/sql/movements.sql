-- Movements of the suspects that the other side did not sign: transfers of zero, of dust, or of an unknown token, oldest first; few
-- per asset, party and direction. `dust`: largest dust amount of each of the `known` assets (0 for those without a price).
SELECT address, victim, direction, asset, amount, initiator, tx_hash, time
FROM (
  SELECT address, counterparty AS victim, direction, asset, toString(m.amount) AS amount, initiator, tx_hash, toUnixTimestamp(block_time) AS time, position
  FROM {ledger_table:Identifier} AS m
  WHERE network = {network:String} AND address IN {addresses:Array(String)}
    AND counterparty NOT IN ('', address) AND initiator != counterparty AND kind IN ('native', 'internal', 'fungible')
    AND (direction = -1 OR kind = 'fungible')
    AND (m.amount = 0 AND kind = 'fungible'
      OR asset NOT IN {known:Array(String)}
      OR direction = -1 AND m.amount > 0 AND m.amount <= arrayMap(x -> toUInt256(x), {dust:Array(String)})[indexOf({known:Array(String)}, asset)])
  ORDER BY address, position
  LIMIT 20 BY address, victim, direction, asset
)
ORDER BY address, position
LIMIT {limit:UInt32} BY address
