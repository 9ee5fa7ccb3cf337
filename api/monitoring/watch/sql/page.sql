-- Addresses that an account watches, from one on, in order.
SELECT network, address
FROM watch_list FINAL
WHERE account = {account:String} AND (network, address) > ({network:String}, {address:String}) AND watched = 1
ORDER BY network, address
LIMIT {limit:UInt32}
