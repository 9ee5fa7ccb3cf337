-- The first wallet whose newest verdict leaves something open because logs of authorities of the network itself were not complete.
-- Logs elsewhere are named with their network at the end of the reason.
SELECT address
FROM wallet_records
WHERE network = {network:String} AND address IN (
    SELECT address FROM wallet_records
    WHERE network = {network:String} AND arrayExists(unknown -> position(unknown, {words:String}) > 0, unknowns)
  )
GROUP BY address
HAVING arrayExists(
    unknown -> position(unknown, {words:String}) > 0 AND NOT match(unknown, ' on [A-Z]+$'),
    argMax(unknowns, version)
  )
ORDER BY address
LIMIT 1
