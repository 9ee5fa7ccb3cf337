-- Native coins above `dust` that others sent to the owners, oldest first; few per payer.
SELECT owner, payer, amount, tx_hash, toString(position) AS position
FROM (
  SELECT address AS owner, counterparty AS payer, toString(l.amount) AS amount, tx_hash, position
  FROM {ledger_table:Identifier} AS l
  WHERE network = {network:String} AND address IN {owners:Array(String)}
    AND kind IN ('native', 'internal') AND direction = 1 AND l.amount > {dust:UInt256} AND initiator != address
  ORDER BY address, counterparty, l.position
  LIMIT 20 BY address, counterparty
)
ORDER BY owner, position
LIMIT 200 BY owner
