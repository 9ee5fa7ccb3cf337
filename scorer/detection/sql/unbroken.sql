-- Whether every final block from `since` on is stored: 1 when none is missing.
SELECT count() > 0 AND count() = max(block_number) - {since:UInt32} + 1 AS unbroken
FROM blocks
WHERE network = {network:String} AND block_number >= {since:UInt32}
