-- The first movement of the tokens between victims and look-alikes, in either direction, which put one into the other's history.
SELECT address AS victim, counterparty AS lookalike, asset, toString(m.amount) AS amount, tx_hash, toUnixTimestamp(block_time) AS time
FROM {ledger_table:Identifier} AS m
WHERE network = {network:String} AND address IN {victims:Array(String)} AND counterparty IN {lookalikes:Array(String)}
  AND asset IN {tokens:Array(String)}
ORDER BY address, counterparty, asset, m.position
LIMIT 1 BY address, counterparty, asset
