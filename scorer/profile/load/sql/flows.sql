-- Movements of valued assets in the window, by month. `moment` is the sum of change x seconds since the window began; with the final
-- balance it gives the integral of the balance over the window. Wraps are not income. Fees are a change too. `sent` counts signed
-- transactions.
SELECT
  m.address AS address, m.asset AS asset, m.month AS month,
  toFloat64(sum(m.came)) AS came,
  toFloat64(sum(m.went)) AS went,
  toFloat64(sum(m.moment)) AS moment,
  toFloat64(sum(m.sent)) AS sent
FROM (
  SELECT
    address, asset, toYYYYMM(block_time) AS month,
    if(direction = 1 AND kind != 'wrap' AND counterparty NOT IN (address, {wrapped:String}), amount, toUInt256(0)) AS came,
    if(direction = -1 AND kind != 'wrap' AND counterparty NOT IN (address, {wrapped:String}), amount, toUInt256(0)) AS went,
    toInt256(amount) * toInt256(direction) * toInt256(toUnixTimestamp(block_time) - {since:UInt32}) AS moment,
    0 AS sent
  FROM {ledger_table:Identifier}
  WHERE network = {network:String} AND address IN {addresses:Array(String)}
    AND block_time >= toDateTime({since:UInt32}, 'UTC') AND block_number <= {head:UInt32}
    AND kind NOT IN ('nft', 'multi') AND asset IN {assets:Array(String)}
  UNION ALL
  SELECT
    sender AS address, '' AS asset, toYYYYMM(block_time) AS month,
    toUInt256(0) AS came, fee AS went,
    -toInt256(fee) * toInt256(toUnixTimestamp(block_time) - {since:UInt32}) AS moment,
    1 AS sent
  FROM {transactions_table:Identifier}
  WHERE network = {network:String} AND sender IN {addresses:Array(String)}
    AND block_time >= toDateTime({since:UInt32}, 'UTC') AND block_number <= {head:UInt32}
) AS m
GROUP BY address, asset, month
ORDER BY address, asset, month
