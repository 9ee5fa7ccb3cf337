-- Owners with an unlimited approval of a dollar coin for the spenders, newest first, at most `limit` per spender.
SELECT spender, owner, asset, toString(min(a.position)) AS position, argMin(a.tx_hash, a.position) AS granted_in
FROM {approvals_table:Identifier} AS a
WHERE network = {network:String} AND spender IN {spenders:Array(String)} AND asset IN {assets:Array(String)}
  AND kind IN ('fungible', 'permit2') AND owner != spender AND amount >= toUInt256('340282366920938463463374607431768211455')
GROUP BY spender, owner, asset
ORDER BY spender, max(a.position) DESC
LIMIT {limit:UInt32} BY spender
