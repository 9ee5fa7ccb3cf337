-- Takes or renews a lease, or gives it back for 0 milliseconds.
INSERT INTO monitor_leases (name, holder, held_until)
SELECT {name:String}, {holder:String}, now64(3) + toIntervalMillisecond({ms:UInt32})
