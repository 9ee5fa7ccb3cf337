-- Labels in force of a token, whoever gave them: what current_labels shows, without the view, which takes longer to plan than its rows to read.
SELECT network, label, detector AS source, class, confidence
FROM address_labels FINAL
WHERE network = {network:String} AND address = {token:String} AND revoked = 0
ORDER BY label, source
