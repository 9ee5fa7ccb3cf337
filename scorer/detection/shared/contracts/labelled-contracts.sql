-- Contracts of the wallets with a malicious label of at least `least` confidence that no guard label outweighs.
SELECT d.root_creator AS address, d.contract AS contract, l.label AS label, l.detector AS detector, l.confidence AS confidence, l.tx_hash AS tx_hash
FROM {deployer_contracts_table:Identifier} AS d
INNER JOIN (
  SELECT address, label, detector, confidence, tx_hash FROM address_labels FINAL
  WHERE network = {network:String} AND revoked = 0 AND label IN {labels:Array(String)} AND confidence >= {least:Float32}
    AND address IN (SELECT contract FROM {deployer_contracts_table:Identifier} WHERE network = {network:String} AND root_creator IN {addresses:Array(String)})
    AND (class = 'asserted' OR address NOT IN (
      SELECT address FROM address_labels FINAL
      WHERE network = {network:String} AND revoked = 0 AND label IN ('service', 'benign') AND confidence >= 0.5
        AND address IN (SELECT contract FROM {deployer_contracts_table:Identifier} WHERE network = {network:String} AND root_creator IN {addresses:Array(String)})))
) AS l ON l.address = d.contract
WHERE d.network = {network:String} AND d.root_creator IN {addresses:Array(String)}
ORDER BY address, contract, label, detector
