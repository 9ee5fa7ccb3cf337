-- Native movements of the contracts, oldest first, with the creator of each. At most `limit` per contract.
SELECT
  m.contract AS contract, m.direction AS direction, m.party AS party, m.initiator AS initiator, m.amount AS amount,
  m.tx_hash AS tx_hash, c.creator AS creator
FROM (
  SELECT address AS contract, direction, counterparty AS party, initiator, toString(l.amount) AS amount, tx_hash, position
  FROM {ledger_table:Identifier} AS l
  WHERE network = {network:String} AND address IN {contracts:Array(String)} AND kind IN ('native', 'internal') AND l.amount > 0
  ORDER BY address, block_time, position, direction DESC
  LIMIT {limit:UInt32} BY address
) AS m
LEFT JOIN (
  SELECT contract, argMin(root_creator, position) AS creator
  FROM {creations_table:Identifier}
  WHERE network = {network:String} AND contract IN {contracts:Array(String)} AND event = 'create'
  GROUP BY contract
) AS c ON c.contract = m.contract
ORDER BY contract, m.position, direction DESC
