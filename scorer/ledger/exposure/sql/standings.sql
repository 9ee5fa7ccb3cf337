-- As what the money of the addresses is known by flags of their newest records that rest on their own acts or on lists; and which of them
-- were announced as pools: 1 by a registered factory, 2 by anybody else. Anybody can announce any account as a pool, so that what came
-- through it would be called the money of an exchange: a pool signs nothing.
SELECT address, toString(argMax(offence, version)) AS category, 0 AS pool_of
FROM wallet_records
WHERE network = {network:String} AND address IN {addresses:Array(String)}
GROUP BY address
HAVING category != ''
UNION ALL
SELECT pool AS address, '' AS category, if(max(factory IN {factories:Array(String)}), 1, 2) AS pool_of
FROM {pools_table:Identifier}
WHERE network = {network:String} AND pool IN {addresses:Array(String)} AND pool NOT IN (
  SELECT sender FROM {transactions_table:Identifier} WHERE network = {network:String} AND sender IN {addresses:Array(String)}
)
GROUP BY pool
