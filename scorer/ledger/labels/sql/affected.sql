-- Wallets with a record that labels of the addresses concern: the addresses themselves, on every network that shares their keys, and
-- their deployers.
SELECT DISTINCT network, address
FROM wallet_records
WHERE network IN {networks:Array(String)} AND address IN {addresses:Array(String)}
UNION DISTINCT
SELECT DISTINCT network, root_creator AS address
FROM creations_all
WHERE network IN {networks:Array(String)} AND contract IN {addresses:Array(String)} AND event = 'create' AND root_creator != ''
