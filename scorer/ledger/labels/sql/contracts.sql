-- Which of the addresses are contracts, by network: created, a pool, or a token. Pools count only if a registered factory announced them:
-- anybody can announce any account as a pool, and contracts do not answer for their address on other networks.
SELECT network, contract AS address
FROM {creations_table:Identifier}
WHERE network IN {networks:Array(String)} AND contract IN {addresses:Array(String)} AND event = 'create'
UNION DISTINCT
SELECT network, pool AS address
FROM {pools_table:Identifier}
WHERE network IN {networks:Array(String)} AND pool IN {addresses:Array(String)}
  AND (network, factory) IN (SELECT network, address FROM registered_factories FINAL WHERE registered = 1)
UNION DISTINCT
SELECT network, token AS address
FROM {tokens_table:Identifier}
WHERE network IN {networks:Array(String)} AND token IN {addresses:Array(String)}
