-- Spread of tokens: creator, pools that their makers opened against tokens of others, and number of addresses in movements they did
-- not sign. Pools announced by a registered factory do not count as such addresses; announcements by others are ignored, because
-- anybody can make them. At most a thousand holders per token.
WITH holders AS (
  SELECT DISTINCT asset, address
  FROM (
    SELECT asset, address FROM asset_holders WHERE network = {network:String} AND asset IN {tokens:Array(String)}
    UNION ALL
    SELECT asset, address FROM wallet_assets_hot WHERE network = {network:String} AND asset IN {tokens:Array(String)}
  )
  ORDER BY asset, address
  LIMIT 1000 BY asset
)
SELECT c.token AS token, c.creator AS creator, p.pools AS pools, toUInt32(m.unasked) AS unasked, m.transactions AS transactions
FROM (
  SELECT contract AS token, argMin(creator, position) AS creator
  FROM {creations_table:Identifier}
  WHERE network = {network:String} AND contract IN {tokens:Array(String)} AND event = 'create'
  GROUP BY contract
) AS c
LEFT JOIN (
  SELECT o.token AS token, arraySort(groupUniqArray(10)(o.pool)) AS pools
  FROM (
    SELECT pool, tx_hash, side.1 AS token, side.2 AS other
    FROM {pools_table:Identifier}
    ARRAY JOIN [(token0, token1), (token1, token0)] AS side
    WHERE network = {network:String} AND (token0 IN {tokens:Array(String)} OR token1 IN {tokens:Array(String)})
      AND side.1 IN {tokens:Array(String)}
  ) AS o
  INNER JOIN (
    SELECT contract, argMin(root_creator, position) AS maker
    FROM {creations_table:Identifier}
    WHERE network = {network:String} AND contract IN {tokens:Array(String)} AND event = 'create'
    GROUP BY contract
  ) AS t ON t.contract = o.token
  INNER JOIN (
    SELECT sender, tx_hash
    FROM {transactions_table:Identifier}
    WHERE network = {network:String} AND sender IN (
      SELECT root_creator FROM {creations_table:Identifier} WHERE network = {network:String} AND contract IN {tokens:Array(String)} AND event = 'create'
    ) AND tx_hash IN (
      SELECT tx_hash FROM {pools_table:Identifier} WHERE network = {network:String} AND (token0 IN {tokens:Array(String)} OR token1 IN {tokens:Array(String)})
    )
  ) AS x ON x.tx_hash = o.tx_hash AND x.sender = t.maker
  WHERE (t.maker, o.other) NOT IN (
    SELECT root_creator, contract FROM {creations_table:Identifier}
    WHERE network = {network:String} AND event = 'create' AND contract IN (
      SELECT arrayJoin([token0, token1]) FROM {pools_table:Identifier}
      WHERE network = {network:String} AND (token0 IN {tokens:Array(String)} OR token1 IN {tokens:Array(String)})
    )
  )
  GROUP BY o.token
) AS p ON p.token = c.token
LEFT JOIN (
  SELECT asset AS token, uniqExact(address) AS unasked, arraySlice(arraySort(groupUniqArray(tx_hash)), 1, 5) AS transactions
  FROM {ledger_table:Identifier}
  WHERE network = {network:String} AND address IN (SELECT address FROM holders) AND asset IN {tokens:Array(String)}
    AND kind = 'fungible' AND initiator != address
    AND address NOT IN ('0x0000000000000000000000000000000000000000', asset)
    AND address NOT IN (
      SELECT pool FROM {pools_table:Identifier}
      WHERE network = {network:String} AND (token0 IN {tokens:Array(String)} OR token1 IN {tokens:Array(String)}) AND factory IN {factories:Array(String)}
    )
  GROUP BY asset
) AS m ON m.token = c.token
ORDER BY token
