-- Wallets with a record among the addresses, on other networks that share their keys.
SELECT DISTINCT network, address
FROM wallet_records
WHERE network IN {networks:Array(String)} AND address IN {addresses:Array(String)}
