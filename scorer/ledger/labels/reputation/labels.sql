-- Labels in force of addresses on one network, without what they rest on; what current_labels shows, without the view.
SELECT address, label, class, confidence
FROM address_labels FINAL
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND revoked = 0
ORDER BY address, label, detector
