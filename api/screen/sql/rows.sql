-- Rows of an upload from one on, in order.
SELECT row, network, address, reference, problem
FROM screen_rows
WHERE upload = {upload:String} AND row >= {from:UInt32}
ORDER BY row
LIMIT 1 BY row
LIMIT {limit:UInt32}
