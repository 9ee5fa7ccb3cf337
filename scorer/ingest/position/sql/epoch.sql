SELECT max(epoch) AS epoch
FROM network_epochs
WHERE network = {network:String}
