-- Which of the addresses have a record on other networks that share their keys.
SELECT DISTINCT network, address
FROM wallet_records
WHERE network IN {networks:Array(String)} AND address IN {addresses:Array(String)}
