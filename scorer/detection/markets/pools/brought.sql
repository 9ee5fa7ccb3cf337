-- What vaults of exchanges took in beyond what they paid, by transaction and asset, in base units.
SELECT address AS vault, tx_hash, asset,
  toString(sumIf(toInt256(l.amount), direction = 1) - sumIf(toInt256(l.amount), direction = -1)) AS amount
FROM {ledger_table:Identifier} AS l
WHERE network = {network:String} AND address IN {vaults:Array(String)}
  AND block_time IN (SELECT toDateTime(arrayJoin({times:Array(UInt32)}), 'UTC')) AND tx_hash IN {transactions:Array(String)}
  AND asset IN {assets:Array(String)} AND kind IN ('native', 'internal', 'fungible', 'wrap')
GROUP BY vault, tx_hash, asset
