-- Which of the addresses are contracts, on each of the networks.
SELECT DISTINCT network, contract AS address
FROM creations_all
WHERE network IN {networks:Array(String)} AND contract IN {addresses:Array(String)} AND event = 'create'
