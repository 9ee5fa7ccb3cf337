-- Records that are outdated although no followed event touched them: swaps moved the pool's price strongly, a watched
-- account called the token or another watched contract, or pools created before the index were found.
-- Reserves are known for pools whose whole life is in the tables, except V4 pools, whose liquidity has no amounts. Only
-- the factory decides a pool's kind: a creator could announce a pool as V4 to avoid this check.
WITH
  known AS (
    SELECT address, argMax(r.token, r.version) AS token, argMax(r.pool, r.version) AS pool,
      argMax(r.watched, r.version) AS watched, argMax(least(r.data_height, r.tables_height), r.version) AS height,
      max(r.version) AS made
    FROM contract_records AS r
    WHERE network = {network:String} AND address IN {addresses:Array(String)}
    GROUP BY address
  ),
  (SELECT min(block_time) FROM blocks_all WHERE network = {network:String} AND block_number >= {since:UInt32}) AS since_time
SELECT address
FROM (
  SELECT k.address AS address, any(reserves.now0) AS now0, any(reserves.now1) AS now1,
    toFloat64(sum(s.amount0)) AS net0, toFloat64(sum(s.amount1)) AS net1
  FROM known AS k
  INNER JOIN (
    SELECT pool, block_number, amount0, amount1
    FROM swaps_all
    WHERE network = {network:String} AND pool IN (SELECT pool FROM known WHERE pool != '') AND block_time >= since_time
  ) AS s ON s.pool = k.pool
  INNER JOIN (
    SELECT pool, toFloat64(added0 - removed0 + swapped0) AS now0, toFloat64(added1 - removed1 + swapped1) AS now1
    FROM pool_state_all
    WHERE network = {network:String} AND pool IN (
      SELECT pool FROM pools_all
      WHERE network = {network:String} AND pool IN (SELECT pool FROM known WHERE pool != '')
        AND factory IN {factories:Array(String)} AND kind != 'v4'
    )
  ) AS reserves ON reserves.pool = k.pool
  WHERE s.block_number > k.height
  GROUP BY k.address
)
WHERE (now0 > net0 AND abs(net0) > {share:Float64} * (now0 - net0)) OR (now1 > net1 AND abs(net1) > {share:Float64} * (now1 - net1))
UNION DISTINCT
SELECT DISTINCT k.address AS address
FROM (SELECT address, watched, height, arrayJoin(arrayDistinct(arrayPushBack(watched, token))) AS relied_on FROM known) AS k
INNER JOIN (
  SELECT sender, receiver, block_number
  FROM transactions_all
  WHERE network = {network:String} AND sender IN (SELECT arrayJoin(watched) FROM known)
    AND receiver IN (SELECT arrayJoin(arrayPushBack(watched, token)) FROM known)
    AND block_time >= since_time AND status != 0 AND selector != ''
) AS t ON t.receiver = k.relied_on
WHERE t.block_number > k.height AND has(k.watched, t.sender)
UNION DISTINCT
SELECT DISTINCT k.address AS address
FROM known AS k
INNER JOIN (
  SELECT address, version
  FROM wallet_pasts FINAL
  WHERE network = {network:String} AND address IN (SELECT token FROM known) AND has(splitByChar(',', sources), 'factories')
) AS p ON p.address = k.token
WHERE p.version > k.made
