-- Rhythm of the wallets' newest native movements of value (at most `limit` each): gaps between them, how long value
-- stays, how much leaves within the hour it came. `ledger` is ledger or ledger_all.
SELECT
  address,
  count() AS movements,
  minOrNullIf(gap, direction = -1 AND gap IS NOT NULL) AS gap_sent_min,
  maxOrNullIf(gap, direction = -1 AND gap IS NOT NULL) AS gap_sent_max,
  minOrNullIf(gap, direction = 1 AND gap IS NOT NULL) AS gap_received_min,
  maxOrNullIf(gap, direction = 1 AND gap IS NOT NULL) AS gap_received_max,
  quantileExactOrNullIf(0.5)(dwell, dwell IS NOT NULL) AS dwell_median,
  if(sumIf(value, direction = 1) = 0, NULL,
    least(1, sumIf(value, direction = -1 AND dwell <= {window:UInt32}) / sumIf(value, direction = 1))) AS passed_through
FROM (
  SELECT
    address, direction, value,
    if(nth_of_side = 1, NULL, toInt64(time) - lagInFrame(toInt64(time)) OVER side) AS gap,
    if(direction = -1 AND last_in > 0, toInt64(time) - toInt64(last_in), NULL) AS dwell
  FROM (
    SELECT
      address, direction, position, toFloat64(amount) AS value, toUnixTimestamp(block_time) AS time,
      row_number() OVER (PARTITION BY address, direction ORDER BY position) AS nth_of_side,
      maxIf(toUnixTimestamp(block_time), direction = 1) OVER (
        PARTITION BY address ORDER BY position, direction ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS last_in
    FROM (
      SELECT address, direction, position, amount, block_time
      FROM {ledger:Identifier}
      WHERE network = {network:String} AND address IN {addresses:Array(String)}
        AND kind IN ('native', 'internal') AND amount > 0 AND counterparty != address
      ORDER BY address, position DESC, direction
      LIMIT {limit:UInt32} BY address
    )
  )
  WINDOW side AS (PARTITION BY address, direction ORDER BY position ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
)
GROUP BY address
