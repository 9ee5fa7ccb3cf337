-- Keys that updates of permissions made owners of some accounts, oldest first: `owner <weight>/<threshold>`.
SELECT authority AS account, subject AS key, detail, tx_hash, toUnixTimestamp(block_time) AS time
FROM {authority_table:Identifier}
WHERE network = {network:String} AND authority IN {accounts:Array(String)} AND event = 'owner_change' AND startsWith(detail, 'owner ')
ORDER BY account, position, key
LIMIT 1000 BY account
