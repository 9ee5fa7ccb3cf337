-- What the takers got in transactions their givers did not sign, newest first.
SELECT DISTINCT address, counterparty AS giver, toUnixTimestamp(block_time) AS time, tx_hash
FROM (
  SELECT address, counterparty, block_time, tx_hash
  FROM {ledger_table:Identifier} AS l
  WHERE network = {network:String} AND address IN {addresses:Array(String)} AND direction = 1 AND l.amount > 0
    AND kind IN ('fungible', 'internal') AND initiator != counterparty AND counterparty NOT IN {services:Array(String)}
  ORDER BY address, position DESC
  LIMIT 200 BY address
)
