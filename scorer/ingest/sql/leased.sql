-- Number of leases of reads that ask moves to wait.
SELECT count() AS leases
FROM read_leases FINAL
WHERE network = {network:String} AND released = 0 AND until > now64(3)
