-- Ranks of the newest complete refresh.
SELECT w.address AS address, argMax(w.place, w.version) AS place
FROM (
  SELECT address, place, version FROM wallet_ranks
  WHERE network = {network:String} AND address IN {addresses:Array(String)}
    AND version >= (SELECT max(version) FROM wallet_rank_refreshes WHERE network = {network:String})
) AS w
GROUP BY address
