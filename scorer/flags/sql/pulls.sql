-- Assets taken from their owners in transactions others signed, at least `share` of what the owner had: by the signer, or by the
-- contract the signer called.
WITH
  moved AS (
    SELECT address AS owner, asset, direction, position, counterparty, initiator, tx_hash, amount, block_time,
      sum(if(direction = 1, toInt256(amount), -toInt256(amount))) OVER (
        PARTITION BY address, asset ORDER BY position, direction DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS balance
    FROM ledger_all
    WHERE network = {network:String} AND kind = 'fungible' AND address IN {owners:Array(String)} AND asset IN {assets:Array(String)}
  ),
  taken AS (
    SELECT owner, asset, position, counterparty, initiator, tx_hash, amount, block_time
    FROM moved
    WHERE direction = -1 AND amount > 0 AND initiator != owner
      AND toFloat64(amount) >= {share:Float64} * toFloat64(balance + toInt256(amount))
  )
SELECT
  t.owner AS owner, t.asset AS asset, toString(t.amount) AS amount, t.counterparty AS taker, t.initiator AS initiator,
  c.receiver AS called, t.tx_hash AS tx_hash, toString(t.position) AS position, toUnixTimestamp(t.block_time) AS time
FROM taken AS t
LEFT JOIN (
  SELECT tx_hash, receiver FROM transactions_all
  WHERE network = {network:String} AND sender IN (SELECT initiator FROM taken) AND tx_hash IN (SELECT tx_hash FROM taken)
) AS c ON c.tx_hash = t.tx_hash
ORDER BY t.position, owner
