-- Dealings of wallets with counterparties, since when (Unix seconds; 0 for never). `paid_since`: the wallet signed a payment. `since`: the
-- wallet signed a movement, or more than dust of a known asset moved.
SELECT address, counterparty, toUnixTimestamp(minIf(block_time, initiator = address AND direction = -1 AND (m.amount > 0 OR kind = 'nft'))) AS paid_since,
  toUnixTimestamp(min(block_time)) AS since
FROM {ledger_table:Identifier} AS m
WHERE network = {network:String} AND (address, counterparty) IN (
    SELECT tupleElement(pair, 1), tupleElement(pair, 2)
    FROM (SELECT arrayJoin(arrayZip({addresses:Array(String)}, {counterparties:Array(String)})) AS pair)
  )
  AND address IN {addresses:Array(String)} AND kind != 'wrap'
  AND (initiator = address
    OR kind IN ('native', 'internal', 'fungible') AND asset IN {known:Array(String)}
      AND m.amount > arrayMap(x -> toUInt256(x), {dust:Array(String)})[indexOf({known:Array(String)}, asset)])
GROUP BY address, counterparty
