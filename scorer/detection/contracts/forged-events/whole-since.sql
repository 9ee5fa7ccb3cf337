-- The lowest block, from `since` on, after which no final block is missing.
SELECT toUInt32(maxIf(block_number, block_number != previous + 1)) AS since
FROM (
  SELECT block_number, lagInFrame(block_number, 1, 0) OVER (ORDER BY block_number ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS previous
  FROM blocks
  WHERE network = {network:String} AND block_number >= {since:UInt32}
)
HAVING count() > 0
