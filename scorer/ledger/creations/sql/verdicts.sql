-- The newest analysis of each contract.
SELECT address, status, probability, risk_score, honeypot, dead, toUnixTimestamp(computed_at) AS computed
FROM contract_records
WHERE network = {network:String} AND address IN {addresses:Array(String)}
ORDER BY version DESC
LIMIT 1 BY network, address
