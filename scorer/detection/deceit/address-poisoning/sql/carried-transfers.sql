-- Movements of nothing or of dust between two others that the suspects signed for.
SELECT initiator AS address, from_address AS giver, to_address AS taker, asset, toString(amount) AS amount, tx_hash, toUnixTimestamp(block_time) AS time
FROM {third_party_dust_table:Identifier}
WHERE network = {network:String} AND initiator IN {addresses:Array(String)}
ORDER BY initiator, position
LIMIT 100 BY initiator
