-- Applies an import in one statement: writes new and changed labels, and revokes those that the list no longer contains.
INSERT INTO address_labels
  (network, address, label, detector, class, confidence, detector_version, evidence, tx_hash, block_number, revoked, found_at, version)
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
      argMax(revoked, version) AS revoked, max(version) AS latest, 1 AS known
    FROM address_labels
    WHERE detector = {detector:String}
    GROUP BY network, address, label
  )
SELECT s.network, s.address, s.label, {detector:String}, s.class, s.confidence, s.detector_version, s.evidence, '', 0, s.revoked,
  toDateTime(intDiv({now:UInt64}, 1000), 'UTC'), greatest({now:UInt64}, b.latest + 1)
FROM staged AS s LEFT JOIN before AS b ON b.network = s.network AND b.address = s.address AND b.label = s.label
WHERE if(s.revoked = 1, b.known = 1 AND b.revoked = 0,
  b.known = 0 OR b.revoked = 1 OR b.class != s.class OR b.confidence != s.confidence
    OR ({by_version:UInt8} = 1 AND b.detector_version != s.detector_version) OR b.evidence != s.evidence)
UNION ALL
SELECT b.network, b.address, b.label, {detector:String}, b.class, b.confidence, {list_version:String}, b.evidence, '', 0, 1,
  toDateTime(intDiv({now:UInt64}, 1000), 'UTC'), greatest({now:UInt64}, b.latest + 1)
FROM before AS b
WHERE {replace:UInt8} = 1 AND b.revoked = 0
  AND (b.network, b.address, b.label) NOT IN (SELECT network, address, label FROM staged)
SETTINGS join_algorithm = 'grace_hash', grace_hash_join_initial_buckets = 16, max_bytes_before_external_group_by = 100000000, max_block_size = 8192, max_threads = 2
