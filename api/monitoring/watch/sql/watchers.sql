-- Who watches some addresses.
SELECT network, address, account
FROM watchers FINAL
WHERE network IN {networks:Array(String)} AND address IN {addresses:Array(String)} AND watched = 1
