-- All movements of the givers in the transactions, which show who shared and where the funds came from.
SELECT tx_hash, address AS giver, direction, counterparty, asset, toString(sum(m.amount)) AS amount, any(initiator) AS signer, toUnixTimestamp(any(m.block_time)) AS time
FROM {ledger_table:Identifier} AS m
WHERE network = {network:String} AND address IN {givers:Array(String)} AND block_time IN (SELECT toDateTime(arrayJoin({times:Array(UInt32)}), 'UTC'))
  AND tx_hash IN {transactions:Array(String)} AND m.amount > 0 AND kind IN ('native', 'internal', 'fungible') AND counterparty != address
GROUP BY tx_hash, giver, direction, counterparty, asset
ORDER BY time, tx_hash, giver, asset, direction, counterparty
