-- Oldest movements of the native coin and of assets, from a time per account (Unix seconds) for `within` seconds, at most `limit`
-- per account and time. Wrapped coins count as coins, so wraps and unwraps are no movements. Dust from others is excluded, because
-- it could fill the limit.
SELECT address, a.since AS since, counterparty, direction, if(l.asset = {wrapped:String}, '', l.asset) AS asset, toString(l.amount) AS amount, initiator = address AS own, tx_hash,
  toUnixTimestamp(block_time) AS time
FROM {ledger_table:Identifier} AS l
INNER JOIN (
  SELECT tupleElement(span, 1) AS account, toUInt32(tupleElement(span, 2)) AS since
  FROM (SELECT arrayJoin(arrayZip({accounts:Array(String)}, {since:Array(UInt32)})) AS span)
) AS a ON a.account = l.address
WHERE network = {network:String} AND address IN {accounts:Array(String)} AND l.asset IN {assets:Array(String)}
  AND block_time >= toDateTime({from:UInt32}, 'UTC') AND block_time <= toDateTime({until:UInt32}, 'UTC')
  AND toUnixTimestamp(block_time) BETWEEN a.since AND a.since + {within:UInt32}
  AND kind IN ('native', 'internal', 'fungible') AND l.amount > 0 AND counterparty NOT IN ('', address, {wrapped:String})
  AND NOT (direction = 1 AND initiator != address AND l.amount <= arrayMap(x -> toUInt256(x), {dust:Array(String)})[indexOf({assets:Array(String)}, l.asset)])
ORDER BY address, since, asset, l.block_time, l.position, direction DESC
LIMIT {limit:UInt32} BY address, since, asset
