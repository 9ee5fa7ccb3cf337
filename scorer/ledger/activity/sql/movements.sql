-- Movements of an address by step: for each of `assets` (by its position in the list), and for everything else (0). A wallet may have a
-- million movements. Therefore positions use `transform` (`indexOf` compares with each asset) and a multiplication (`if` would copy
-- the rows of each branch), and amounts are summed once per direction.
SELECT
  toString(
    multiIf({step:String} = 'month', toStartOfMonth(day), {step:String} = 'week', toMonday(day), day)
  ) AS at,
  nth, toString(sumIf(moved, direction = 1)) AS received, toString(sumIf(moved, direction = -1)) AS sent,
  toFloat64(sumIf(movements, direction = 1)) AS incoming, toFloat64(sumIf(movements, direction = -1)) AS outgoing
FROM (
  SELECT
    toDate(block_time) AS day,
    toUInt16(
      transform(asset, {assets:Array(String)}, arrayEnumerate({assets:Array(String)}), 0) * (kind NOT IN ('nft', 'multi'))
    ) AS nth,
    direction, sum(amount) AS moved, count() AS movements
  FROM {ledger_table:Identifier}
  WHERE network = {network:String} AND address = {address:String}
    AND block_time >= toDateTime({from:UInt32}, 'UTC') AND block_number <= {head:UInt32}
  GROUP BY day, nth, direction
)
GROUP BY at, nth
ORDER BY at, nth
