-- What some accounts gave of a token to each of those to whom they gave most.
SELECT address, toString(sum(l.amount)) AS amount
FROM ledger_all AS l
WHERE network = {network:String} AND address IN {givers:Array(String)} AND asset = {token:String} AND direction = -1 AND kind = 'fungible'
GROUP BY address, counterparty
ORDER BY sum(l.amount) DESC
LIMIT 200 BY address
