-- Purchases and sales in the first day of a pool. `made` is 0 when the tables lack the pool's creation.
WITH (SELECT min(block_time) FROM pools_all WHERE network = {network:String} AND pool = {pool:String}) AS first
SELECT
  toUnixTimestamp(first) AS made,
  toUInt32(countIf(if({base_first:UInt8} = 1, amount0, amount1) > 0)) AS buys,
  toUInt32(countIf(if({base_first:UInt8} = 1, amount0, amount1) < 0)) AS sells
FROM swaps_all
WHERE network = {network:String} AND pool = {pool:String} AND block_time <= first + INTERVAL 1 DAY
