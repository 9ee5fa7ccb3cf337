-- Rows of an upload with their answers, from one on, in order.
SELECT row, network, address, reference, status, body
FROM
(
  SELECT row, network, address, reference
  FROM screen_rows
  WHERE upload = {upload:String} AND row >= {from:UInt32} AND row < {from:UInt32} + {limit:UInt32}
  LIMIT 1 BY row
) AS given
INNER JOIN
(
  SELECT row, status, body
  FROM screen_results FINAL
  WHERE upload = {upload:String} AND row >= {from:UInt32} AND row < {from:UInt32} + {limit:UInt32}
) AS answered USING row
ORDER BY row
