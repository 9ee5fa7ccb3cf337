-- NFTs taken: for each spender, the owners whose NFTs of an approved collection left in someone else's transaction within
-- `window` seconds of the approval, to an account (not into a contract that may keep them for the owner), for nothing: no
-- payment in that transaction, nor any other from spender, taker or signer. Transactions that carried coins count only
-- where internal payments are visible. The spender either signed the transaction or is the contract it called.
-- `sure` is as in drains.sql.
WITH
  granted AS (
    SELECT spender, owner, asset, min(position) AS granted_at, toUnixTimestamp(max(block_time)) AS granted_time, argMin(tx_hash, position) AS granted_in,
      max(initiator = owner OR kind = 'permit2' OR asset IN {canonical:Array(String)}) AS sure
    FROM approvals_all AS a
    WHERE network = {network:String} AND spender IN {spenders:Array(String)}
      AND (kind = 'all' AND a.amount = 1 OR kind = 'nft') AND owner != spender
    GROUP BY spender, owner, asset
    ORDER BY spender, sure DESC, granted_at DESC
    LIMIT 500 BY spender
  ),
  taken AS (
    SELECT address AS owner, asset, position, counterparty, initiator, tx_hash, block_number, block_time, toString(l.amount) AS amount
    FROM ledger_all AS l
    WHERE network = {network:String} AND kind IN ('nft', 'multi') AND direction = -1 AND initiator != address
      AND address IN (SELECT owner FROM granted) AND asset IN (SELECT asset FROM granted)
  ),
  received AS (
    SELECT address AS owner, tx_hash, counterparty
    FROM ledger_all AS r
    WHERE network = {network:String} AND address IN (SELECT owner FROM taken) AND direction = 1 AND r.amount > 0
  ),
  called AS (
    SELECT tx_hash, receiver, value
    FROM transactions_all
    WHERE network = {network:String} AND sender IN (SELECT initiator FROM taken) AND tx_hash IN (SELECT tx_hash FROM taken)
  )
SELECT
  g.spender AS spender, t.owner AS victim, t.asset AS asset, t.amount AS amount, t.counterparty AS taker,
  t.initiator AS initiator, t.tx_hash AS tx_hash, g.granted_in AS granted_in, toUnixTimestamp(t.block_time) AS time, g.sure AS sure
FROM taken AS t
INNER JOIN granted AS g ON g.owner = t.owner AND g.asset = t.asset
INNER JOIN called AS c ON c.tx_hash = t.tx_hash
WHERE t.position > g.granted_at AND toUnixTimestamp(t.block_time) <= g.granted_time + {window:UInt32}
  AND (t.initiator = g.spender OR c.receiver = g.spender)
  AND (t.owner, t.tx_hash) NOT IN (SELECT owner, tx_hash FROM received)
  AND (t.owner, t.counterparty) NOT IN (SELECT owner, counterparty FROM received)
  AND (t.owner, t.initiator) NOT IN (SELECT owner, counterparty FROM received)
  AND (t.owner, g.spender) NOT IN (SELECT owner, counterparty FROM received)
  AND t.counterparty NOT IN (
    SELECT contract FROM creations_all WHERE network = {network:String} AND event = 'create' AND contract IN (SELECT counterparty FROM taken)
  )
  AND (c.value = 0 OR t.block_number IN (
    SELECT block_number FROM blocks_all WHERE network = {network:String} AND sees_traces = 1 AND block_number IN (SELECT block_number FROM taken)
  ))
ORDER BY spender, sure DESC, t.position, victim, asset
LIMIT 200 BY spender
