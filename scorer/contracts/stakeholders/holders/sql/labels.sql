-- Labels in force of some addresses that are confident enough to raise flags.
SELECT address, groupUniqArray(label) AS labels
FROM current_labels
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND confidence >= 0.9
GROUP BY address
