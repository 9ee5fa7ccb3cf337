-- Creations and destructions of the contracts in chain order, the newest hundred per contract.
SELECT contract, event, code_hash, tx_hash, time FROM (
  SELECT contract, event, code_hash, tx_hash, position, toUnixTimestamp(block_time) AS time
  FROM {creations_table:Identifier}
  WHERE network = {network:String} AND contract IN {contracts:Array(String)}
  ORDER BY contract, position DESC
  LIMIT 100 BY contract
)
ORDER BY contract, position, event
