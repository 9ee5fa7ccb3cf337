-- What the takers got in transactions their givers did not sign, newest first: as many of what is more than dust of a known coin as of all else,
-- which anybody can have in thousands by a token of his own.
SELECT DISTINCT address, counterparty AS giver, toUnixTimestamp(block_time) AS time, tx_hash
FROM (
  SELECT address, counterparty, block_time, tx_hash, asset IN {known:Array(String)}
    AND l.amount > arrayMap(x -> toUInt256(x), {dust:Array(String)})[indexOf({known:Array(String)}, asset)] AS worth
  FROM {ledger_table:Identifier} AS l
  WHERE network = {network:String} AND address IN {addresses:Array(String)} AND direction = 1 AND l.amount > 0
    AND kind IN ('fungible', 'internal') AND initiator != counterparty AND counterparty NOT IN {services:Array(String)}
  ORDER BY address, position DESC
  LIMIT 200 BY address, worth
)
