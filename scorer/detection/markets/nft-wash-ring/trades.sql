-- NFT movements of wallets in one collection each, with what they received (above 0) or paid (below 0) in the same transaction, US
-- dollars. `money`: assets that count; `units`: base units per dollar. Excludes transactions in which a wallet both received and
-- gave NFTs. `own`: one of the two sides signed. Oldest first, at most `limit` per wallet and collection.
WITH
  moved AS (
    SELECT address, asset, token_id, direction, counterparty, position, tx_hash, initiator IN (address, counterparty) AS own
    FROM {ledger_table:Identifier}
    WHERE network = {network:String} AND address IN {addresses:Array(String)} AND kind = 'nft'
      AND (address, asset) IN (SELECT arrayJoin(arrayZip({addresses:Array(String)}, {collections:Array(String)})))
      AND counterparty NOT IN ('', '0x0000000000000000000000000000000000000000') AND counterparty != address
    ORDER BY address, asset, position
    LIMIT {limit:UInt32} BY address, asset
  ),
  bundled AS (
    SELECT address, tx_hash, count() AS items, uniqExact(direction) AS ways
    FROM {ledger_table:Identifier}
    WHERE network = {network:String} AND address IN {addresses:Array(String)} AND kind IN ('nft', 'multi')
      AND tx_hash IN (SELECT tx_hash FROM moved)
    GROUP BY address, tx_hash
  ),
  paid AS (
    SELECT address, tx_hash,
      sum(l.direction * toFloat64(l.amount) / {units:Array(Float64)}[indexOf({money:Array(String)}, asset)]) AS usd
    FROM {ledger_table:Identifier} AS l
    WHERE network = {network:String} AND address IN {addresses:Array(String)} AND kind IN ('native', 'internal', 'fungible')
      AND asset IN {money:Array(String)} AND tx_hash IN (SELECT tx_hash FROM moved)
    GROUP BY address, tx_hash
  )
SELECT m.address AS address, m.asset AS collection, toString(m.token_id) AS token_id, m.direction AS direction,
  m.counterparty AS counterparty, m.tx_hash AS tx_hash, toString(m.position) AS position, toUInt8(m.own) AS own, p.usd / b.items AS usd
FROM moved AS m
INNER JOIN bundled AS b ON b.address = m.address AND b.tx_hash = m.tx_hash
LEFT JOIN paid AS p ON p.address = m.address AND p.tx_hash = m.tx_hash
WHERE b.ways = 1
ORDER BY m.position, address
