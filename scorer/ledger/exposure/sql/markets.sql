-- Trade in announced pools: number of distinct first funders of buyers above a minimum, share of the largest payer in the inflow (0
-- to 1), and days between first and last purchase.
SELECT b.pool AS pool, toFloat64(uniqExactIf(f.funder, f.funder != '' AND b.bought >= {least:Float64})) AS funders,
  max(b.usd) / sum(b.usd) AS largest,
  (maxIf(b.last, b.bought >= {least:Float64}) - minIf(b.first, b.bought >= {least:Float64})) / 86400 AS days
FROM (
  SELECT address AS pool, initiator, sum(m.usd_value) AS usd, sumIf(m.usd_value, m.traded) AS bought,
    minIf(m.time, m.traded) AS first, maxIf(m.time, m.traded) AS last
  FROM (
    SELECT address, initiator, toUnixTimestamp(block_time) AS time,
      toFloat64(amount) * transform(asset, {assets:Array(String)}, {units:Array(Float64)}, 0.) AS usd_value,
      (address, tx_hash) IN (
        SELECT pool, tx_hash FROM {swaps_table:Identifier} WHERE network = {network:String} AND pool IN {pools:Array(String)}
      ) AS traded
    FROM {ledger_table:Identifier}
    WHERE network = {network:String} AND address IN {pools:Array(String)} AND direction = 1 AND block_number <= {head:UInt32}
      AND asset IN {assets:Array(String)} AND kind IN ('native', 'internal', 'fungible')
  ) AS m
  GROUP BY address, initiator
) AS b
LEFT JOIN (
  SELECT address, funder
  FROM {wallet_features_table:Identifier}
  WHERE network = {network:String} AND address IN (
    SELECT initiator FROM {swaps_table:Identifier} WHERE network = {network:String} AND pool IN {pools:Array(String)}
  )
) AS f ON f.address = b.initiator
GROUP BY b.pool
