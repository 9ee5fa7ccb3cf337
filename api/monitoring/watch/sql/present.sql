-- Which of some addresses an account watches.
SELECT network, address
FROM watch_list FINAL
WHERE account = {account:String} AND network IN {networks:Array(String)} AND address IN {addresses:Array(String)}
  AND watched = 1
