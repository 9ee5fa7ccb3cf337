-- Owners who let the spenders take an asset or a collection, the newest 500 pairs of owner and asset of each spender. `sure`
-- where nobody but the owner can have given the approval: its transaction, Permit2, or an asset that does not lie
-- (`canonical`).
SELECT
  spender, owner, asset, kind IN ('all', 'nft') AS nft, toString(min(a.position)) AS position,
  toUnixTimestamp(min(a.block_time)) AS since, toUnixTimestamp(max(a.block_time)) AS time, argMin(a.tx_hash, a.position) AS granted_in,
  max(initiator = owner OR kind = 'permit2' OR asset IN {canonical:Array(String)}) AS sure
FROM {approvals_table:Identifier} AS a
WHERE network = {network:String} AND spender IN {spenders:Array(String)} AND owner != spender
  AND (kind IN ('fungible', 'permit2') AND a.amount > 0 OR kind = 'all' AND a.amount = 1 OR kind = 'nft')
GROUP BY spender, owner, asset, nft
ORDER BY spender, sure DESC, min(a.position) DESC
LIMIT 500 BY spender, nft
