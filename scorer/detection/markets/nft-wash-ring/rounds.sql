-- NFTs that came to the wallets and left them again, at least `least` times each way, at most twenty per wallet: those with the
-- most money in their transactions first, so that transfers without payment hide none. `money`: assets that count; `units`: base
-- units per dollar.
WITH
  passed AS (
    SELECT address, asset, token_id
    FROM {ledger_table:Identifier}
    WHERE network = {network:String} AND address IN {addresses:Array(String)} AND kind = 'nft'
      AND counterparty NOT IN ('', '0x0000000000000000000000000000000000000000') AND counterparty != address
    GROUP BY address, asset, token_id
    HAVING countIf(direction = 1) >= {least:UInt32} AND countIf(direction = -1) >= {least:UInt32}
  ),
  moved AS (
    SELECT address, asset, token_id, tx_hash, count() AS times
    FROM {ledger_table:Identifier}
    WHERE network = {network:String} AND address IN {addresses:Array(String)} AND kind = 'nft'
      AND (address, asset, token_id) IN (SELECT address, asset, token_id FROM passed)
    GROUP BY address, asset, token_id, tx_hash
  ),
  paid AS (
    SELECT address, tx_hash,
      abs(sum(l.direction * toFloat64(l.amount) / {units:Array(Float64)}[indexOf({money:Array(String)}, asset)])) AS usd
    FROM {ledger_table:Identifier} AS l
    WHERE network = {network:String} AND address IN (SELECT address FROM passed) AND kind IN ('native', 'internal', 'fungible')
      AND asset IN {money:Array(String)} AND tx_hash IN (SELECT tx_hash FROM moved)
    GROUP BY address, tx_hash
  )
SELECT m.address AS address, m.asset AS asset, toString(m.token_id) AS token_id
FROM moved AS m
INNER JOIN (SELECT address, tx_hash, sum(times) AS items FROM moved GROUP BY address, tx_hash) AS b
  ON b.address = m.address AND b.tx_hash = m.tx_hash
LEFT JOIN paid AS p ON p.address = m.address AND p.tx_hash = m.tx_hash
GROUP BY address, asset, token_id
ORDER BY address, sum(p.usd * m.times / b.items) DESC, asset, token_id
LIMIT 20 BY address
