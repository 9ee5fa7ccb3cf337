-- Labels in force about the addresses, on every network that shares their keys. Equal to current_labels, without the view, which takes
-- longer to plan than its rows to read.
SELECT network, address, label, detector, class, confidence, detector_version, evidence, tx_hash, block_number
FROM address_labels FINAL
WHERE network IN {networks:Array(String)} AND address IN {addresses:Array(String)} AND revoked = 0
ORDER BY network, address, label, detector
