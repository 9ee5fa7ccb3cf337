-- Payments of the wallets to the parties in movements they signed, oldest first.
SELECT address, counterparty, asset, toString(l.amount) AS amount, tx_hash, toUnixTimestamp(block_time) AS time
FROM {ledger_table:Identifier} AS l
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND counterparty IN {parties:Array(String)}
  AND asset IN {assets:Array(String)} AND direction = -1 AND l.amount > 0 AND initiator = address
ORDER BY address, l.block_time, l.position
LIMIT 100 BY address
