-- Signs of receipts over a bridge: crossings that name the wallet (`key`, `tx`), and dealings with bridge contracts or with the
-- address that tokens are minted from (`counterparty`).
SELECT subject AS address, tx_hash AS tx, detail AS key, '' AS counterparty
FROM {authority_table:Identifier} AS a
WHERE network = {network:String} AND subject IN {addresses:Array(String)} AND event = 'bridge_in' AND block_number <= {head:UInt32}
ORDER BY subject, a.block_time, a.position
LIMIT 2000 BY subject
UNION ALL
SELECT DISTINCT address, '' AS tx, '' AS key, counterparty
FROM {counterparties_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND counterparty IN {gates:Array(String)}
