-- Labels in force of addresses on one network, without evidence. Equal to current_labels, without the view.
SELECT address, label, class, confidence
FROM address_labels FINAL
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND revoked = 0
ORDER BY address, label, detector
