-- Permission updates that made the wallets owners of other accounts, alone or with others. Ownership of contracts does not count.
SELECT DISTINCT subject AS taker, authority AS account
FROM {authority_table:Identifier}
WHERE network = {network:String} AND subject IN {addresses:Array(String)} AND event = 'owner_change'
  AND startsWith(detail, 'owner ') AND authority != subject
ORDER BY taker, account
LIMIT {most:UInt32} BY taker
