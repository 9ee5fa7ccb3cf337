-- Which of the addresses are contracts, on each of the networks: created, a pool, or a token.
SELECT network, contract AS address
FROM {creations_table:Identifier}
WHERE network IN {networks:Array(String)} AND contract IN {addresses:Array(String)} AND event = 'create'
UNION DISTINCT
SELECT network, pool AS address
FROM {pools_table:Identifier}
WHERE network IN {networks:Array(String)} AND pool IN {addresses:Array(String)}
UNION DISTINCT
SELECT network, token AS address
FROM {tokens_table:Identifier}
WHERE network IN {networks:Array(String)} AND token IN {addresses:Array(String)}
