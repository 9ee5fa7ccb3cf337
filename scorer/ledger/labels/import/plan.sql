-- Effect of an import: rows by network, label and fate. A list is one detector; its newest label of each address is compared with the
-- staged one. Of contradicting rows, the one that revokes counts.
WITH
  staged AS (
    SELECT network, address, label, max(class) AS class, max(confidence) AS confidence, any(detector_version) AS detector_version,
      max(evidence) AS evidence, max(revoked) AS revoked
    FROM label_imports
    WHERE import = {import:String}
    GROUP BY network, address, label
  ),
  before AS (
    SELECT network, address, label, argMax(class, version) AS class, argMax(confidence, version) AS confidence,
      argMax(detector_version, version) AS detector_version, argMax(evidence, version) AS evidence,
      argMax(revoked, version) AS revoked, 1 AS known
    FROM address_labels
    WHERE detector = {detector:String}
    GROUP BY network, address, label
  )
SELECT network, label, fate, toUInt32(count()) AS count
FROM (
  SELECT s.network AS network, s.label AS label,
    multiIf(s.revoked = 1, if(b.known = 1 AND b.revoked = 0, 'retracted', 'absent'),
      b.known = 0 OR b.revoked = 1, 'new',
      b.class = s.class AND b.confidence = s.confidence AND ({by_version:UInt8} = 0 OR b.detector_version = s.detector_version) AND b.evidence = s.evidence, 'unchanged',
      'changed') AS fate
  FROM staged AS s LEFT JOIN before AS b ON b.network = s.network AND b.address = s.address AND b.label = s.label
  UNION ALL
  SELECT b.network AS network, b.label AS label, 'retracted' AS fate
  FROM before AS b
  WHERE {replace:UInt8} = 1 AND b.revoked = 0
    AND (b.network, b.address, b.label) NOT IN (SELECT network, address, label FROM staged)
)
WHERE fate != 'absent'
GROUP BY network, label, fate
ORDER BY network, label, fate
SETTINGS join_algorithm = 'grace_hash', grace_hash_join_initial_buckets = 16, max_bytes_before_external_group_by = 100000000, max_block_size = 8192, max_threads = 2
