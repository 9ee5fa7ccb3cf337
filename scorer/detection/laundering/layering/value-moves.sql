-- Movements of the native coin and of assets within a period, oldest first, at most `limit` per address. Wrapped coins count as
-- coins, so wraps and unwraps are no movements. Dust from others is excluded, because it could fill the limit.
SELECT address, counterparty, direction, if(l.asset = {wrapped:String}, '', l.asset) AS asset, toString(l.amount) AS amount, initiator = address AS own, tx_hash,
  toUnixTimestamp(block_time) AS time
FROM {ledger_table:Identifier} AS l
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND l.asset IN {assets:Array(String)}
  AND block_time >= toDateTime({since:UInt32}, 'UTC') AND block_time <= toDateTime({until:UInt32}, 'UTC')
  AND kind IN ('native', 'internal', 'fungible') AND l.amount > 0 AND counterparty NOT IN ('', address, {wrapped:String})
  AND NOT (direction = 1 AND initiator != address AND l.amount <= arrayMap(x -> toUInt256(x), {dust:Array(String)})[indexOf({assets:Array(String)}, l.asset)])
ORDER BY address, l.block_time, l.position, direction DESC
LIMIT {limit:UInt32} BY address
