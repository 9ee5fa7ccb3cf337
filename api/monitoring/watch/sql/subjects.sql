-- Watched addresses of all accounts, from one on, in order; of one network where it is given.
SELECT DISTINCT network, address
FROM watchers FINAL
WHERE (network, address) > ({network:String}, {address:String}) AND watched = 1
  AND ({only:String} = '' OR network = {only:String})
ORDER BY network, address
LIMIT {limit:UInt32}
