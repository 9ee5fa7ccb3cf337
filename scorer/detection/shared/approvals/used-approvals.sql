-- Owners whose assets the spenders moved after an approval, with the first such movement. `sure` as in grants.sql. At most `limit`
-- per spender.
WITH
  granted AS (
    SELECT spender, owner, asset, min(a.position) AS granted_at,
      max(initiator = owner OR kind = 'permit2' OR asset IN {canonical:Array(String)}) AS sure
    FROM {approvals_table:Identifier} AS a
    WHERE network = {network:String} AND spender IN {spenders:Array(String)} AND owner != spender
      AND NOT (a.amount = 0 AND kind != 'nft')
    GROUP BY spender, owner, asset
    ORDER BY spender, asset IN {canonical:Array(String)} DESC, sure DESC, granted_at DESC
    LIMIT 1000 BY spender
  )
SELECT g.spender AS spender, g.owner AS victim, g.asset AS asset, any(g.sure) AS sure, argMin(l.tx_hash, l.position) AS tx_hash
FROM (
  SELECT address, asset, initiator, position, tx_hash
  FROM {ledger_table:Identifier} AS m
  WHERE network = {network:String} AND address IN (SELECT owner FROM granted) AND asset IN (SELECT asset FROM granted)
    AND direction = -1 AND m.amount > 0 AND initiator IN {spenders:Array(String)}
) AS l
INNER JOIN granted AS g ON g.owner = l.address AND g.asset = l.asset AND g.spender = l.initiator
WHERE l.position > g.granted_at
GROUP BY g.spender, g.owner, g.asset
ORDER BY spender, sure DESC, min(l.position), victim, asset
LIMIT {limit:UInt32} BY spender
