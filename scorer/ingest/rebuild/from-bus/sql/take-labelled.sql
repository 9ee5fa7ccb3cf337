-- Addresses that authorities named: the table keeps who was ever named, so that none is taken away.
INSERT INTO labelled_addresses
SELECT network, address, max(listed) FROM {from:Identifier}.labelled_addresses
WHERE network = {network:String}
GROUP BY network, address
ORDER BY ALL
