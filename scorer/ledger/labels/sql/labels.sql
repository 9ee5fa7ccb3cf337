-- Findings in force about the addresses, on every network that shares their keys.
SELECT network, address, label, detector, class, confidence, detector_version, evidence, tx_hash, block_number
FROM current_labels
WHERE network IN {networks:Array(String)} AND address IN {addresses:Array(String)}
ORDER BY network, address, label, detector
