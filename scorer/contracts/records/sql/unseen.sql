-- Tokens with a pool of a known factory in a range of blocks, without a record and not postponed, newest pool first.
WITH candidates AS (
  SELECT arrayJoin([token0, token1]) AS token, max(block_number) AS latest
  FROM pools_all
  WHERE network = {network:String} AND block_number > {from:UInt32} AND block_number <= {to:UInt32}
    AND factory IN {factories:Array(String)}
  GROUP BY token
)
SELECT token
FROM candidates
WHERE token != '' AND token NOT IN {bases:Array(String)}
  AND token NOT IN (
    SELECT address FROM contract_records
    WHERE network = {network:String} AND address IN (SELECT token FROM candidates)
  )
  AND token NOT IN (
    SELECT address FROM contract_retries FINAL
    WHERE network = {network:String} AND settled = 0 AND address IN (SELECT token FROM candidates)
  )
ORDER BY latest DESC, token
LIMIT {limit:UInt32}
