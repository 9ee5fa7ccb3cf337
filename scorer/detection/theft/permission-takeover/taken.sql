-- Amounts that accounts gave to their takers by asset, and what was left, in base units. Counts only what the account signed from
-- the next block on: the previous owner may have signed in the block of the update, and spenders may still spend. `lent`: what the
-- taker had given by then; `back`: what it gave later.
SELECT l.address AS account, a.taker AS taker, l.asset AS asset,
  toString(sumIf(l.amount, signed AND direction = -1 AND counterparty = a.taker AND at > a.since AND at <= a.until)) AS given,
  toFloat64(sumIf(l.amount, direction = 1 AND counterparty = a.taker AND at <= a.until)) AS lent,
  toFloat64(sumIf(l.amount, direction = 1 AND counterparty = a.taker AND at > a.until)) AS back,
  toFloat64(sumIf(toInt256(l.amount), direction = 1 AND at <= a.until))
    - toFloat64(sumIf(toInt256(l.amount), direction = -1 AND at <= a.until)) AS left_over,
  maxIf(at, signed AND direction = -1 AND counterparty = a.taker AND at > a.since AND at <= a.until) AS emptied_at,
  arraySlice(groupUniqArrayIf(tx_hash, signed AND direction = -1 AND counterparty = a.taker AND at > a.since AND at <= a.until), 1, 3) AS transactions
FROM (
  SELECT address, counterparty, asset, amount, direction, tx_hash, toUnixTimestamp(block_time) AS at, initiator = address AS signed
  FROM {ledger_table:Identifier}
  WHERE network = {network:String} AND address IN {accounts:Array(String)} AND kind IN ('native', 'internal', 'fungible', 'wrap')
    AND asset IN {assets:Array(String)}
) AS l
INNER JOIN (
  SELECT tupleElement(pair, 1) AS account, tupleElement(pair, 2) AS taker, toUInt32(tupleElement(pair, 3)) AS since,
    toUInt32(tupleElement(pair, 4)) AS until
  FROM (SELECT arrayJoin(arrayZip({accounts:Array(String)}, {takers:Array(String)}, {since:Array(UInt32)}, {until:Array(UInt32)})) AS pair)
) AS a ON a.account = l.address
GROUP BY account, taker, asset
ORDER BY account, taker, asset
