-- Other tokens of the same family of code that were analysed, and those that detectors of ours accuse of being a trap now.
SELECT toUInt32(uniqExact(network, token)) AS analysed, toUInt32(uniqExactIf((network, token), trap)) AS traps,
  arraySlice(arraySort(groupUniqArrayIf((toString(network), token), trap)), 1, {most:UInt32}) AS examples
FROM (
  SELECT r.network AS network, r.token AS token, (r.network, r.token) IN (
    SELECT network, address FROM current_labels
    WHERE label = 'honeypot' AND class = 'detected' AND confidence >= 0.9
      AND address IN (SELECT token FROM contract_records WHERE family_hash = {family:String})
  ) AS trap
  FROM (
    SELECT network, address, argMax(c.token, c.version) AS token, argMax(c.family_hash, c.version) AS family
    FROM contract_records AS c
    WHERE (network, address) IN (SELECT network, address FROM contract_records WHERE family_hash = {family:String})
    GROUP BY network, address
  ) AS r
  WHERE r.family = {family:String} AND NOT (r.network = {network:String} AND r.token = {token:String})
)
SETTINGS max_threads = 1
