-- Contracts whose record rests on a verdict about their creator that has turned since, newest record first. `fraud` are those of
-- the wallets whose verdict is Fraud now.
SELECT address
FROM (
  SELECT r.address AS address, max(r.version) AS version, argMax(r.creator, r.version) AS creator,
    argMax(r.creator_fraud, r.version) AS creator_fraud
  FROM contract_records AS r
  WHERE network = {network:String}
    AND address IN (SELECT address FROM contract_watches WHERE network = {network:String} AND watched IN {wallets:Array(String)})
  GROUP BY address
)
WHERE creator IN {wallets:Array(String)} AND creator_fraud != (creator IN {fraud:Array(String)})
ORDER BY version DESC
LIMIT {limit:UInt32}
