-- Addresses that authorities ever named. None is removed.
INSERT INTO labelled_addresses
SELECT network, address, max(listed) FROM {from:Identifier}.labelled_addresses
WHERE network = {network:String}
GROUP BY network, address
ORDER BY ALL
