-- Movements of zero or dust between two others in transactions that the suspects signed, oldest first; few per asset and pair.
SELECT address, giver, taker, asset, amount, tx_hash, time
FROM (
  SELECT initiator AS address, from_address AS giver, to_address AS taker, asset, toString(amount) AS amount, tx_hash, toUnixTimestamp(block_time) AS time, position
  FROM {third_party_dust_table:Identifier}
  WHERE network = {network:String} AND initiator IN {addresses:Array(String)}
  ORDER BY initiator, position
  LIMIT 20 BY address, giver, taker, asset
)
ORDER BY address, position
LIMIT {limit:UInt32} BY address
