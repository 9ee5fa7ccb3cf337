-- Payments of makers to their buyers in transactions the makers signed, from a time per maker (Unix seconds) for `within` seconds, in base
-- units.
SELECT initiator AS maker, m.since AS since, address AS receiver, asset, toString(sum(l.amount)) AS amount
FROM {ledger_table:Identifier} AS l
INNER JOIN (
  SELECT tupleElement(span, 1) AS account, toUInt32(tupleElement(span, 2)) AS since
  FROM (SELECT arrayJoin(arrayZip({makers:Array(String)}, {since:Array(UInt32)})) AS span)
) AS m ON m.account = l.initiator
WHERE network = {network:String} AND address IN {buyers:Array(String)} AND initiator IN {makers:Array(String)}
  AND kind IN ('native', 'internal', 'fungible') AND direction = 1
  AND toUnixTimestamp(block_time) BETWEEN m.since AND m.since + {within:UInt32}
GROUP BY initiator, m.since, address, asset
ORDER BY maker, since, receiver, asset
