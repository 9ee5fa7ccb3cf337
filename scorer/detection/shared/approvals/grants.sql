-- Approvals of the spenders for assets and collections: per spender a thousand pairs of owner and asset, first those of trusted
-- assets (`canonical`), then the newest, and at most ten per owner, so that what one account signs for its own tokens hides nobody.
-- `sure`: only the owner can have given the approval (its own transaction, Permit2, or a canonical asset).
SELECT spender, owner, asset, nft, toString(first) AS position, since, time, granted_in, sure
FROM (
  SELECT
    spender, owner, asset, kind IN ('all', 'nft') AS nft, min(a.position) AS first,
    toUnixTimestamp(min(a.block_time)) AS since, toUnixTimestamp(max(a.block_time)) AS time, argMin(a.tx_hash, a.position) AS granted_in,
    max(initiator = owner OR kind = 'permit2' OR asset IN {canonical:Array(String)}) AS sure, asset IN {canonical:Array(String)} AS known
  FROM {approvals_table:Identifier} AS a
  WHERE network = {network:String} AND spender IN {spenders:Array(String)} AND owner != spender
    AND (kind IN ('fungible', 'permit2') AND a.amount > 0 OR kind = 'all' AND a.amount = 1 OR kind = 'nft')
  GROUP BY spender, owner, asset, nft
  ORDER BY spender, owner, nft, known DESC, sure DESC, first DESC
  LIMIT 10 BY spender, owner, nft
)
ORDER BY spender, known DESC, sure DESC, first DESC
LIMIT 1000 BY spender, nft
