-- Newest label by one detector for some addresses: revoked or in force.
SELECT address, argMax(revoked, l.version) AS revoked, toString(max(l.version)) AS version
FROM address_labels AS l
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND label = {label:String} AND detector = {detector:String}
GROUP BY address
