-- Labels in force that match the non-empty filters, one page in the order of the key.
SELECT network, address, label, detector, class, confidence, detector_version, evidence, tx_hash, block_number,
  toUnixTimestamp(found_at) AS found_at
FROM current_labels
WHERE ({networks:Array(String)} = [] OR network IN {networks:Array(String)})
  AND ({addresses:Array(String)} = [] OR address IN {addresses:Array(String)})
  AND ({labels:Array(String)} = [] OR label IN {labels:Array(String)})
  AND ({detector:String} = '' OR detector = {detector:String})
  AND (network, address, label, detector) > ({after_network:String}, {after_address:String}, {after_label:String}, {after_detector:String})
ORDER BY network, address, label, detector
LIMIT {limit:UInt32}
