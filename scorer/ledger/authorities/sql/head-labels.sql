-- Labels that store the answers of authorities at the head about the address.
SELECT network, address, label, detector, class, confidence, detector_version, evidence, tx_hash, block_number
FROM current_labels
WHERE network = {network:String} AND address = {address:String} AND class = 'asserted'
  AND (label, detector) IN (('sanctioned', 'sanctions-oracle'), ('blacklist', 'issuer-freeze'))
