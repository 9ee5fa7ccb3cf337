-- What an address moved, step by step: of each of `assets` (by its place in the list), and of everything else (0).
SELECT toString(day) AS at, nth, toString(received) AS received, toString(sent) AS sent,
  toFloat64(incoming) AS incoming, toFloat64(outgoing) AS outgoing
FROM (
  SELECT
    multiIf(
      {step:String} = 'month', toStartOfMonth(block_time), {step:String} = 'week', toMonday(block_time), toDate(block_time)
    ) AS day,
    toUInt16(if(kind IN ('nft', 'multi'), 0, indexOf({assets:Array(String)}, asset))) AS nth,
    sumIf(amount, direction = 1) AS received, sumIf(amount, direction = -1) AS sent,
    countIf(direction = 1) AS incoming, countIf(direction = -1) AS outgoing
  FROM {ledger_table:Identifier}
  WHERE network = {network:String} AND address = {address:String}
    AND block_time >= toDateTime({from:UInt32}, 'UTC') AND block_number <= {head:UInt32}
  GROUP BY day, nth
)
ORDER BY at, nth
