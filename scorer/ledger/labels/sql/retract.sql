-- Revokes labels in force that match the non-empty filters.
INSERT INTO address_labels
  (network, address, label, detector, class, confidence, detector_version, evidence, tx_hash, block_number, revoked, found_at, version)
SELECT network, address, label, detector, argMax(class, version), argMax(confidence, version), argMax(detector_version, version),
  argMax(evidence, version), argMax(tx_hash, version), argMax(block_number, version), 1,
  toDateTime(intDiv({now:UInt64}, 1000), 'UTC'), greatest({now:UInt64}, max(version) + 1)
FROM address_labels AS l
WHERE ({networks:Array(String)} = [] OR network IN {networks:Array(String)})
  AND ({addresses:Array(String)} = [] OR address IN {addresses:Array(String)})
  AND ({labels:Array(String)} = [] OR label IN {labels:Array(String)})
  AND ({detector:String} = '' OR detector = {detector:String})
GROUP BY network, address, label, detector
HAVING argMax(revoked, l.version) = 0
