-- Receipts of the takers in transactions that the givers did not sign, newest first: equally many above dust of a known coin as of
-- all others, which anybody can produce in thousands with his own token.
SELECT DISTINCT address, counterparty AS giver, toUnixTimestamp(block_time) AS time, tx_hash
FROM (
  SELECT address, counterparty, block_time, tx_hash, asset IN {known:Array(String)}
    AND l.amount > arrayMap(x -> toUInt256(x), {dust:Array(String)})[indexOf({known:Array(String)}, asset)] AS above_dust
  FROM {ledger_table:Identifier} AS l
  WHERE network = {network:String} AND address IN {addresses:Array(String)} AND direction = 1 AND l.amount > 0
    AND kind IN ('fungible', 'internal') AND initiator != counterparty AND counterparty NOT IN {services:Array(String)}
  ORDER BY address, position DESC
  LIMIT 200 BY address, above_dust
)
