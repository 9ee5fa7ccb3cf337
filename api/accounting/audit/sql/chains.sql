-- Chains that have entries or an anchor, with the anchor that is in force.
SELECT
  chain,
  toString(max(anchor_seq)) AS after,
  argMax(anchor_hash, anchor_seq) AS after_hash
FROM
(
  SELECT DISTINCT chain, toUInt64(0) AS anchor_seq, '' AS anchor_hash FROM audit_log
  UNION ALL
  SELECT chain, seq AS anchor_seq, hash AS anchor_hash FROM audit_anchors
)
GROUP BY chain
ORDER BY chain
