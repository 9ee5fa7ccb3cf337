-- Conflicts between staged labels and those of other sources: accusation against guard, or sanctioned against delisted.
SELECT s.label AS label, o.label AS other, o.detector AS detector, toUInt32(uniqExact(s.network, s.address)) AS count
FROM (SELECT network, address, label FROM label_imports WHERE import = {import:String} AND revoked = 0) AS s
INNER JOIN (
  SELECT network, address, label, detector FROM current_labels
  WHERE (network, address) IN (SELECT network, address FROM label_imports WHERE import = {import:String})
) AS o ON o.network = s.network AND o.address = s.address
WHERE (s.label IN {accusations:Array(String)} AND o.label IN {guards:Array(String)})
  OR (s.label IN {guards:Array(String)} AND o.label IN {accusations:Array(String)})
  OR (s.label = 'sanctioned' AND o.label = 'delisted') OR (s.label = 'delisted' AND o.label = 'sanctioned')
GROUP BY label, other, detector
ORDER BY label, other, detector
