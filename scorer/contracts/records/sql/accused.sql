-- Newest word of one detector on some addresses: taken back or in force.
SELECT address, argMax(revoked, l.version) AS revoked, toString(max(l.version)) AS version
FROM address_labels AS l
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND label = {label:String} AND detector = {detector:String}
GROUP BY address
