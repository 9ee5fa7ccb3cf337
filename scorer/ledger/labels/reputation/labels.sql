-- Labels in force of addresses on one network, without what they rest on.
SELECT address, label, class, confidence
FROM current_labels
WHERE network = {network:String} AND address IN {addresses:Array(String)}
ORDER BY address, label, detector
