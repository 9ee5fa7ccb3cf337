-- Newest stored probability of fraud of the addresses, without contracts.
SELECT r.address AS address, argMax(r.probability, r.version) AS probability
FROM (
  SELECT address, probability, version FROM wallet_records
  WHERE network = {network:String} AND address IN {addresses:Array(String)}
) AS r
WHERE r.address NOT IN (
  SELECT contract FROM creations_all WHERE network = {network:String} AND contract IN {addresses:Array(String)}
)
GROUP BY address
