-- Native payments into the contracts signed by the payer, the first three per payer and the oldest 300 per contract, with the
-- contract's maker.
SELECT
  p.contract AS contract, p.payer AS owner, p.payer AS initiator, toString(p.paid) AS amount, p.tx_hash AS tx_hash, toUInt32(p.block_number) AS block_number,
  toUnixTimestamp(p.block_time) AS time, c.creator AS creator
FROM (
  SELECT contract, payer, tx_hash, position, block_number, block_time, paid
  FROM (
    SELECT address AS contract, initiator AS payer, tx_hash, position, block_number, block_time, l.amount AS paid
    FROM {ledger_table:Identifier} AS l
    WHERE network = {network:String} AND address IN {contracts:Array(String)}
      AND kind = 'native' AND direction = 1 AND l.amount > 0 AND initiator = counterparty
    ORDER BY contract, payer, position
    LIMIT 3 BY contract, payer
  )
  ORDER BY contract, position
  LIMIT 300 BY contract
) AS p
LEFT JOIN (
  SELECT contract, argMin(root_creator, position) AS creator
  FROM {creations_table:Identifier}
  WHERE network = {network:String} AND contract IN {contracts:Array(String)} AND event = 'create'
  GROUP BY contract
) AS c ON c.contract = p.contract
ORDER BY contract, p.position
