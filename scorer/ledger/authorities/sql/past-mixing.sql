-- Mixer deposits of the wallets and withdrawals to them before the first covered block (`first`), oldest first.
SELECT subject AS address, authority AS pool, event, actor = subject AS own, position, tx_hash, toUnixTimestamp(block_time) AS time
FROM authority_past FINAL
WHERE network = {network:String} AND subject IN {addresses:Array(String)} AND event IN ('mixer_deposit', 'mixer_withdraw')
  AND block_number < {first:UInt32}
ORDER BY subject, position
LIMIT 1000 BY subject
