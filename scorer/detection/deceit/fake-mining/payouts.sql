-- Native coin the owners were sent by others, oldest first.
SELECT address AS owner, counterparty AS payer, toString(l.amount) AS amount, tx_hash, toString(l.position) AS position
FROM {ledger_table:Identifier} AS l
WHERE network = {network:String} AND address IN {owners:Array(String)}
  AND kind IN ('native', 'internal') AND direction = 1 AND l.amount > 0 AND initiator != address
ORDER BY address, l.position
LIMIT 200 BY address
