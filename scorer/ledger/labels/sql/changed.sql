-- Addresses with labels written at or after a version, one page.
SELECT DISTINCT network, address
FROM address_labels
WHERE version >= {since:UInt64} AND ({detector:String} = '' OR detector = {detector:String})
  AND (network, address) > ({after_network:String}, {after_address:String})
ORDER BY network, address
LIMIT {limit:UInt32}
