-- Which of the parties are known for what loot comes from: labelled so by `least` confidence or more while nobody vouches
-- for them, or on a sanctions list now.
SELECT address, label FROM current_labels
WHERE network = {network:String} AND address IN {parties:Array(String)} AND label IN {labels:Array(String)} AND confidence >= {least:Float32}
  AND (class = 'asserted' OR address NOT IN (
    SELECT address FROM current_labels
    WHERE network = {network:String} AND address IN {parties:Array(String)} AND label IN ('service', 'benign') AND confidence >= 0.5))
  AND (label != 'sanctioned' OR address NOT IN (
    SELECT address FROM current_labels
    WHERE network = {network:String} AND address IN {parties:Array(String)} AND label = 'delisted'))
UNION ALL
SELECT subject AS address, 'sanctioned' AS label FROM {authority_listings_table:Identifier}
WHERE network = {network:String} AND subject IN {parties:Array(String)} AND list = 'sanctions' AND listed = 1
ORDER BY address, label
