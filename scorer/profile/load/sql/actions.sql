-- What the wallets' own transactions touched, one row per set of contracts and called function, with the number of transactions;
-- recent ones are separate. #transfer is a plain payment, #nft a moved NFT, #swap a swap in a known pool. A counterparty counts
-- only if the asset is `known`, because a token of one's own can name any protocol. Excludes failed transactions and those that
-- touched nothing of this.
SELECT t.address AS address, t.contracts AS contracts, t.selector AS selector, t.deeds AS deeds,
  t.recent AS recent,
  toFloat64(count()) AS transactions
FROM (
  SELECT
    a.address AS address, a.tx AS tx,
    arraySort(groupUniqArrayIf(a.contract, a.contract != '')) AS contracts,
    max(a.call) AS selector,
    max(a.deeds) AS deeds,
    max(a.time) >= toDateTime({recent_from:UInt32}, 'UTC') AS recent
  FROM (
    SELECT
      sender AS address, bitShiftRight(position, 19) AS tx, block_time AS time,
      if(receiver IN {contracts:Array(String)}, receiver, '#transfer') AS contract,
      if(receiver IN {contracts:Array(String)}, toString(selector), '') AS call, toString(deeds) AS deeds
    FROM {transactions_table:Identifier}
    WHERE network = {network:String} AND sender IN {addresses:Array(String)} AND block_number <= {head:UInt32}
      AND status != 0
      AND (receiver IN {contracts:Array(String)} OR (selector = '' AND value > 0 AND receiver NOT IN ('', sender)))
    UNION ALL
    SELECT
      address, bitShiftRight(position, 19) AS tx, block_time AS time,
      multiIf(counterparty IN {contracts:Array(String)} AND asset IN {known:Array(String)}, counterparty,
        asset IN {positions:Array(String)}, asset, '#nft') AS contract,
      '' AS call, '' AS deeds
    FROM {ledger_table:Identifier}
    WHERE network = {network:String} AND address IN {addresses:Array(String)} AND block_number <= {head:UInt32}
      AND initiator = address
      AND ((counterparty IN {contracts:Array(String)} AND asset IN {known:Array(String)} AND amount > 0) OR kind IN ('nft', 'multi')
        OR (asset IN {positions:Array(String)} AND counterparty = {nobody:String}))
    UNION ALL
    SELECT s.address AS address, bitShiftRight(s.position, 19) AS tx, s.block_time AS time,
      arrayJoin(['#swap', if(s.factory != '', toString(s.factory), p.factory)]) AS contract, '' AS call, '' AS deeds
    FROM (
      SELECT address, position, block_time, pool, factory FROM {wallet_swaps_table:Identifier}
      WHERE network = {network:String} AND address IN {addresses:Array(String)} AND block_number <= {head:UInt32}
    ) AS s
    LEFT JOIN (
      SELECT pool, max(q.factory) AS factory FROM {pools_table:Identifier} AS q
      WHERE network = {network:String} AND q.factory IN {contracts:Array(String)} AND pool IN (
        SELECT pool FROM {wallet_swaps_table:Identifier}
        WHERE network = {network:String} AND address IN {addresses:Array(String)} AND block_number <= {head:UInt32}
      )
      GROUP BY pool
    ) AS p ON p.pool = s.pool
  ) AS a
  GROUP BY address, tx
) AS t
GROUP BY address, contracts, selector, deeds, recent
ORDER BY address, contracts, selector, deeds, recent
