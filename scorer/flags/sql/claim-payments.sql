-- Native payments into contracts by calls of the given selectors, and what the payers ever got for them: anything in the
-- same transaction, from the contract, or by a transaction of its creator. Only where internal payments are visible.
WITH
  creators AS (
    SELECT root_creator FROM creations_all
    WHERE network = {network:String} AND contract IN {contracts:Array(String)} AND event = 'create'
  ),
  paid AS (
    SELECT address AS contract, initiator AS payer, tx_hash, position, block_number, block_time, amount
    FROM ledger_all AS l
    WHERE network = {network:String} AND address IN {contracts:Array(String)}
      AND kind = 'native' AND direction = 1 AND l.amount > 0 AND initiator = counterparty
    ORDER BY contract, position
    LIMIT 300 BY contract
  ),
  calls AS (
    SELECT tx_hash, selector
    FROM transactions_all
    WHERE network = {network:String} AND sender IN (SELECT payer FROM paid) AND tx_hash IN (SELECT tx_hash FROM paid)
      AND selector IN {selectors:Array(String)}
  ),
  got AS (
    SELECT address AS payer, counterparty, initiator, tx_hash
    FROM ledger_all AS l
    WHERE network = {network:String} AND address IN (SELECT payer FROM paid) AND direction = 1 AND l.amount > 0
      AND (tx_hash IN (SELECT tx_hash FROM paid) OR counterparty IN {contracts:Array(String)} OR initiator IN (SELECT root_creator FROM creators))
  )
SELECT
  p.contract AS contract, p.payer AS payer, toString(p.amount) AS amount, p.tx_hash AS tx_hash, toUnixTimestamp(p.block_time) AS time, c.selector AS selector,
  (p.payer, p.tx_hash) IN (SELECT payer, tx_hash FROM got)
    OR (p.payer, p.contract) IN (SELECT payer, counterparty FROM got)
    OR p.payer IN (SELECT payer FROM got WHERE initiator IN (SELECT root_creator FROM creators)) AS returned
FROM paid AS p
INNER JOIN calls AS c ON c.tx_hash = p.tx_hash
WHERE p.block_number IN (
  SELECT block_number FROM blocks_all WHERE network = {network:String} AND sees_traces = 1 AND block_number IN (SELECT block_number FROM paid)
)
ORDER BY contract, p.position
