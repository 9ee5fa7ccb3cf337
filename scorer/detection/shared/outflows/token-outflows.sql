-- Assets taken from their owners in transactions that others signed: at least `share` of the owner's balance, within a period. At least the
-- share `known` of the taken amount must have been seen to arrive, otherwise the balance is not known. Wraps count as receipts, and unwraps
-- are not taken assets, whoever signs.
SELECT
  owner, asset, toString(amount) AS amount, counterparty AS taker, initiator, tx_hash, toString(position) AS position,
  toUnixTimestamp(block_time) AS time, toUInt32(block_number) AS block_number
FROM (
  SELECT address AS owner, asset, kind, direction, position, counterparty, initiator, tx_hash, amount, block_time, block_number,
    sum(if(direction = 1, toInt256(amount), -toInt256(amount))) OVER (
      PARTITION BY address, asset ORDER BY position, direction DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS balance
  FROM {ledger_table:Identifier}
  WHERE network = {network:String} AND kind IN ('fungible', 'wrap') AND address IN {owners:Array(String)} AND asset IN {assets:Array(String)}
    AND block_time <= toDateTime({until:UInt32}, 'UTC')
) AS t
WHERE kind = 'fungible' AND direction = -1 AND t.amount > 0 AND initiator != owner AND block_time >= toDateTime({since:UInt32}, 'UTC')
  AND toFloat64(t.amount) >= {share:Float64} * toFloat64(balance + toInt256(t.amount))
  AND toFloat64(balance + toInt256(t.amount)) >= {known:Float64} * toFloat64(t.amount)
