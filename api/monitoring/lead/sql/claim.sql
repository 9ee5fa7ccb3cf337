-- Takes or renews a lease, or gives it back for 0 milliseconds. Its version is above the one it follows, whatever the clock says.
INSERT INTO monitor_leases (name, version, holder, held_until)
SELECT {name:String}, greatest(toUInt64(toUnixTimestamp64Micro(now64(6))), {after:UInt64} + 1), {holder:String},
  now64(3) + toIntervalMillisecond({ms:UInt32})
