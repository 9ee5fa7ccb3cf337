-- Verdicts on other contracts of the same deployer, on every EVM network: one root creator, one key pair.
SELECT d.network AS network, d.contract AS contract, r.honeypot AS honeypot, r.dead AS dead
FROM deployer_contracts_all AS d
INNER JOIN (
  SELECT network, address, argMax(honeypot, version) AS honeypot, argMax(dead, version) AS dead
  FROM contract_records
  GROUP BY network, address
) AS r ON r.network = d.network AND r.address = d.contract
WHERE d.root_creator = {creator:String} AND d.contract != {contract:String} AND (r.honeypot = 1 OR r.dead = 1)
LIMIT 100
