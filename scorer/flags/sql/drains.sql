-- Approved, then emptied: for each spender, the owners whose approved asset was taken by someone else's transaction within
-- `window` seconds of the approval, at least `share` of what they had, with nothing coming back in that transaction.
-- The spender either signed the transaction or is the contract it called. `sure` where nobody but the owner can have given
-- the approval: its transaction, Permit2, or an asset that does not lie (`canonical`).
WITH
  granted AS (
    SELECT spender, owner, asset, min(position) AS granted_at, toUnixTimestamp(max(block_time)) AS granted_time, argMin(tx_hash, position) AS granted_in,
      max(initiator = owner OR kind = 'permit2' OR asset IN {canonical:Array(String)}) AS sure
    FROM approvals_all
    WHERE network = {network:String} AND spender IN {spenders:Array(String)}
      AND kind IN ('fungible', 'permit2') AND amount > 0 AND owner != spender
    GROUP BY spender, owner, asset
    ORDER BY spender, sure DESC, granted_at DESC
    LIMIT 500 BY spender
  ),
  moved AS (
    SELECT
      address AS owner, asset, direction, position, counterparty, initiator, tx_hash, amount, block_time,
      sum(if(direction = 1, toInt256(amount), -toInt256(amount))) OVER (
        PARTITION BY address, asset ORDER BY position, direction DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS balance
    FROM ledger_all
    WHERE network = {network:String} AND kind = 'fungible'
      AND address IN (SELECT owner FROM granted) AND asset IN (SELECT asset FROM granted)
  ),
  taken AS (
    SELECT owner, asset, position, counterparty, initiator, tx_hash, amount, block_time
    FROM moved
    WHERE direction = -1 AND amount > 0 AND initiator != owner
      AND toFloat64(amount) >= {share:Float64} * toFloat64(balance + toInt256(amount))
  ),
  repaid AS (
    SELECT DISTINCT address AS owner, tx_hash
    FROM ledger_all
    WHERE network = {network:String} AND address IN (SELECT owner FROM taken) AND direction = 1 AND amount > 0
      AND tx_hash IN (SELECT tx_hash FROM taken)
  ),
  called AS (
    SELECT tx_hash, receiver
    FROM transactions_all
    WHERE network = {network:String} AND sender IN (SELECT initiator FROM taken) AND tx_hash IN (SELECT tx_hash FROM taken)
  )
SELECT
  g.spender AS spender, t.owner AS victim, t.asset AS asset, toString(t.amount) AS amount, t.counterparty AS taker,
  t.initiator AS initiator, t.tx_hash AS tx_hash, g.granted_in AS granted_in, toUnixTimestamp(t.block_time) AS time, g.sure AS sure
FROM taken AS t
INNER JOIN granted AS g ON g.owner = t.owner AND g.asset = t.asset
LEFT JOIN called AS c ON c.tx_hash = t.tx_hash
WHERE t.position > g.granted_at AND toUnixTimestamp(t.block_time) <= g.granted_time + {window:UInt32}
  AND (t.initiator = g.spender OR c.receiver = g.spender)
  AND (t.owner, t.tx_hash) NOT IN (SELECT owner, tx_hash FROM repaid)
ORDER BY spender, sure DESC, t.position, victim, asset
LIMIT 200 BY spender
