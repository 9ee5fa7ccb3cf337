-- Movements of the native coin and of some assets, oldest first, within a stretch of time. At most `limit` of one address.
SELECT address, counterparty, direction, asset, toString(l.amount) AS amount, initiator = address AS own, tx_hash,
  toUnixTimestamp(block_time) AS time
FROM {ledger_table:Identifier} AS l
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND asset IN {assets:Array(String)}
  AND block_time >= toDateTime({since:UInt32}, 'UTC') AND block_time <= toDateTime({until:UInt32}, 'UTC')
  AND kind IN ('native', 'internal', 'fungible') AND l.amount > 0 AND counterparty NOT IN ('', address)
ORDER BY address, l.block_time, l.position, direction DESC
LIMIT {limit:UInt32} BY address
