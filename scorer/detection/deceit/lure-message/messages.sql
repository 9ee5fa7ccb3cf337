-- The newest messages the wallets sent to others beside next to nothing, in order of time. At most `limit` of one wallet.
SELECT address, receiver, message, tx_hash, toUnixTimestamp(block_time) AS time, pays_nothing
FROM (
  SELECT sender AS address, receiver, message, tx_hash, block_time, position, value <= {nothing:UInt256} AS pays_nothing
  FROM {transactions_table:Identifier}
  WHERE network = {network:String} AND sender IN {addresses:Array(String)} AND receiver NOT IN ('', sender)
    AND message != '' AND value <= {worthless:UInt256} AND NOT startsWith(message, 'data:') AND status != 0
  ORDER BY sender, block_time DESC, position DESC
  LIMIT {limit:UInt32} BY sender
)
ORDER BY address, time, tx_hash
