-- Keys that permission updates gave power over the accounts, oldest first: `owner <weight>/<threshold>`, `active <weight>/<threshold>`.
SELECT authority AS account, subject AS key, detail, tx_hash, toUnixTimestamp(block_time) AS time
FROM {authority_table:Identifier}
WHERE network = {network:String} AND authority IN {accounts:Array(String)} AND event IN ('owner_change', 'role_grant')
  AND (startsWith(detail, 'owner ') OR startsWith(detail, 'active '))
ORDER BY account, position, key, detail
LIMIT 1000 BY account
