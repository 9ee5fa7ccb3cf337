-- One row when any of the wallets has a transaction or a movement above the watermark.
SELECT 1 AS hot
FROM (
  SELECT 1 FROM transactions_hot
  WHERE network = {network:String} AND sender IN {addresses:Array(String)} AND block_number > {settled:UInt32}
  UNION ALL
  SELECT 1 FROM ledger_hot
  WHERE network = {network:String} AND address IN {addresses:Array(String)} AND block_number > {settled:UInt32}
)
LIMIT 1
