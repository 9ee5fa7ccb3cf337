-- Which of the parties are known for what loot comes from: labelled so by `least` confidence or more, or on a sanctions list now.
SELECT address, label FROM current_labels
WHERE network = {network:String} AND address IN {parties:Array(String)} AND label IN {labels:Array(String)} AND confidence >= {least:Float32}
UNION ALL
SELECT subject AS address, 'sanctioned' AS label FROM authority_listings_all
WHERE network = {network:String} AND subject IN {parties:Array(String)} AND list = 'sanctions' AND listed = 1
ORDER BY address, label
