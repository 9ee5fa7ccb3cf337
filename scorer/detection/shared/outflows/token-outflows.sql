-- Assets taken from their owners in transactions others signed: at least `share` of what the owner had, within a stretch of
-- time. At least the part `known` of what was taken must have been seen to come; else what the owner had is not known. Coins
-- that the owner wrapped came to it, and what it unwraps is not taken from it, whoever signs.
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
