-- What the takers got in transactions their givers did not sign, newest first, and everything those givers gave and got in
-- the same transactions: who shared, and whose it was.
WITH takes AS (
  SELECT counterparty AS giver, block_time, tx_hash
  FROM ledger_all AS l
  WHERE network = {network:String} AND address IN {addresses:Array(String)} AND direction = 1 AND l.amount > 0
    AND kind IN ('fungible', 'internal') AND initiator != counterparty AND counterparty NOT IN {services:Array(String)}
  ORDER BY address, position DESC
  LIMIT 200 BY address
)
SELECT tx_hash, address AS giver, direction, counterparty, asset, toString(sum(m.amount)) AS amount, any(initiator) AS signer, toUnixTimestamp(any(m.block_time)) AS time
FROM ledger_all AS m
WHERE network = {network:String} AND address IN (SELECT giver FROM takes) AND (address, block_time) IN (SELECT giver, block_time FROM takes)
  AND tx_hash IN (SELECT tx_hash FROM takes) AND m.amount > 0 AND kind IN ('native', 'internal', 'fungible') AND counterparty != address
GROUP BY tx_hash, giver, direction, counterparty, asset
ORDER BY time, tx_hash, giver, asset, direction, counterparty
