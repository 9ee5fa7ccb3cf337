-- Which of the parties dealt with any of the others before some time (Unix seconds).
SELECT DISTINCT address AS party
FROM {wallet_edges_table:Identifier}
WHERE network = {network:String} AND address IN {parties:Array(String)} AND counterparty IN {others:Array(String)}
  AND toUnixTimestamp(first_seen) < {before:UInt32}
