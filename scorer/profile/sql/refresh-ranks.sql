-- Points by the reputation formula, and the dense rank by points, of every wallet with a stored profile.
INSERT INTO wallet_ranks (network, address, version, points, place)
SELECT {network:String}, p.address, {version:UInt64}, p.points, dense_rank() OVER (ORDER BY p.points DESC)
FROM (
  SELECT r.address AS address,
    round(
      1000 / 110 * (argMax(r.experience, r.version) + 1) * (argMax(r.risk_capability, r.version) + 1)
        * (1 - argMax(r.probability, r.version))
      + 0.01 * log10(1 + argMax(r.transaction_count, r.version)) + 0.0001 * argMax(r.age_days, r.version),
      9) AS points
  FROM profile_records AS r
  WHERE r.network = {network:String}
  GROUP BY r.address
  HAVING argMax(r.transaction_count, r.version) >= {fewest:UInt32}
) AS p
