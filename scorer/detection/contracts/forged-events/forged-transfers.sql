-- Tokens that moved value out of at least `least` owners who never received any, did not sign, never approved anyone and are no contracts
-- (others sign for smart accounts, and contracts get wrapped coins without a movement), with the block of their creation. Final rows only,
-- because holders by token are known for those only.
WITH
  impossible AS (
    SELECT asset, address
    FROM asset_holders
    WHERE network = {network:String} AND asset IN {tokens:Array(String)}
      AND address NOT IN ('0x0000000000000000000000000000000000000000', asset)
    GROUP BY asset, address
    HAVING sum(amount_in) = 0 AND sum(amount_out) > 0
    ORDER BY asset, address
    LIMIT 200 BY asset
  )
SELECT
  m.asset AS contract, min(c.since) AS since, toUInt32(uniqExact(m.address)) AS owners,
  arraySlice(arraySort(groupUniqArray(m.address)), 1, 10) AS named,
  arraySlice(arraySort(groupUniqArray(m.tx_hash)), 1, 10) AS transactions
FROM ledger AS m
INNER JOIN (
  SELECT contract, min(block_number) AS since
  FROM creations
  WHERE network = {network:String} AND contract IN {tokens:Array(String)} AND event = 'create'
  GROUP BY contract
) AS c ON c.contract = m.asset
WHERE m.network = {network:String} AND m.address IN (SELECT address FROM impossible) AND m.asset IN {tokens:Array(String)}
  AND m.kind = 'fungible' AND m.direction = -1 AND m.amount > 0 AND m.initiator != m.address
  AND (m.asset, m.address) IN (SELECT asset, address FROM impossible)
  AND (m.asset, m.address) NOT IN (
    SELECT asset, owner FROM approvals
    WHERE network = {network:String} AND owner IN (SELECT address FROM impossible) AND asset IN {tokens:Array(String)}
      AND initiator = owner
  )
  AND m.address NOT IN (
    SELECT contract FROM creations WHERE network = {network:String} AND contract IN (SELECT address FROM impossible)
  )
GROUP BY m.asset
HAVING owners >= {least:UInt32}
ORDER BY contract
