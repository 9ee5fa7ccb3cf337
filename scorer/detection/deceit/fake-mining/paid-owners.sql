-- Spenders with unlimited approvals of a dollar coin from owners that the payers paid repeatedly, with the number of those owners, at least
-- `least`.
WITH fed AS (
  SELECT address AS payer, counterparty AS owner
  FROM {unmerged_wallet_edges_table:Identifier} AS e
  WHERE network = {network:String} AND address IN {payers:Array(String)}
  GROUP BY address, counterparty
  HAVING sum(e.native_out_count) >= {payouts:UInt32}
)
SELECT f.payer AS payer, a.spender AS spender, toUInt32(uniqExact(a.owner)) AS owners
FROM {approvals_table:Identifier} AS a
INNER JOIN fed AS f ON f.owner = a.owner
WHERE a.network = {network:String} AND a.owner IN (SELECT owner FROM fed) AND a.asset IN {assets:Array(String)}
  AND a.kind IN ('fungible', 'permit2') AND a.amount >= toUInt256('340282366920938463463374607431768211455')
  AND a.spender NOT IN (f.payer, a.owner)
GROUP BY f.payer, a.spender
HAVING owners >= {least:UInt32}
ORDER BY payer, owners DESC, spender
LIMIT 20 BY payer
