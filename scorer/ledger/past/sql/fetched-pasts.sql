-- Newest state of the fetched past of each wallet.
SELECT address, to_block, sent, native, tokens, complete, done, transactions, blocks, sources, why, pools_why,
  toFloat64(version) AS version
FROM wallet_pasts FINAL
WHERE network = {network:String} AND address IN {addresses:Array(String)}
