-- Movements of nothing or of dust between two others that the suspects signed for.
SELECT initiator AS address, giver, taker, asset, toString(amount) AS amount, tx_hash, toUnixTimestamp(block_time) AS time
FROM {dust_carries_table:Identifier}
WHERE network = {network:String} AND initiator IN {addresses:Array(String)}
ORDER BY initiator, position
LIMIT 100 BY initiator
