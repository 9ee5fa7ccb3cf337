-- Amounts of a token that some accounts sent, by receiver, largest first.
SELECT address, toString(sum(l.amount)) AS amount
FROM ledger_all AS l
WHERE network = {network:String} AND address IN {senders:Array(String)} AND asset = {token:String} AND direction = -1 AND kind = 'fungible'
GROUP BY address, counterparty
ORDER BY sum(l.amount) DESC
LIMIT 200 BY address
