-- Verdicts on other contracts by the same deployer, on every EVM network, because an address has the same key on all. A
-- honeypot counts by a confident label, not by a record: the pool of a record may be anyone's.
SELECT d.network AS network, d.contract AS contract, toUInt8(l.address != '') AS honeypot, r.dead AS dead
FROM deployer_contracts_all AS d
LEFT JOIN (
  SELECT network, address, argMax(dead, version) AS dead
  FROM contract_records
  GROUP BY network, address
) AS r ON r.network = d.network AND r.address = d.contract
LEFT JOIN (
  SELECT DISTINCT network, address
  FROM current_labels
  WHERE label = 'honeypot' AND confidence >= 0.9
) AS l ON l.network = d.network AND l.address = d.contract
WHERE d.root_creator = {creator:String} AND d.contract != {contract:String} AND (l.address != '' OR r.dead = 1)
LIMIT 100
