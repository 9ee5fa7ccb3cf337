-- Receipts of the owners from one of the parties, signed by one of the signers, or in one of the transactions; fields that do not match are
-- empty. `last`: time of the last one (Unix seconds).
SELECT
  address AS owner, if(counterparty IN {parties:Array(String)}, counterparty, '') AS giver,
  if(initiator IN {signers:Array(String)}, initiator, '') AS signer, if(tx_hash IN {transactions:Array(String)}, tx_hash, '') AS transaction,
  toUnixTimestamp(max(block_time)) AS last
FROM {ledger_table:Identifier}
WHERE network = {network:String} AND address IN {owners:Array(String)} AND direction = 1 AND amount > 0
  AND (tx_hash IN {transactions:Array(String)} OR counterparty IN {parties:Array(String)} OR initiator IN {signers:Array(String)})
GROUP BY owner, giver, signer, transaction
