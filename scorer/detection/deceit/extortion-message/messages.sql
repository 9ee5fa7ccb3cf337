-- The first extortion message of the wallets to each receiver, with next to nothing, in order of time; the newest `limit` per wallet. It
-- demands and threatens (by `threats`, or under a condition) and has no exonerating word. Inscriptions are excluded.
WITH lower(replaceRegexpAll(normalizeUTF8NFKC(toValidUTF8(message)), '\\s+', ' ')) AS text
SELECT address, receiver, message, tx_hash, toUnixTimestamp(block_time) AS time
FROM (
  SELECT address, receiver, message, tx_hash, block_time
  FROM (
    SELECT sender AS address, receiver, message, tx_hash, block_time, position
    FROM {transactions_table:Identifier}
    WHERE network = {network:String} AND sender IN {addresses:Array(String)} AND receiver NOT IN ('', sender)
      AND message != '' AND NOT startsWith(message, 'data:') AND status != 0 AND value <= {most:UInt256}
      AND match(text, {demands:String})
      AND (match(text, {threats:String}) OR match(text, {conditional:String}) AND match(text, {conditions:String}))
      AND NOT match(text, {acquitting:String})
    ORDER BY sender, receiver, block_time, position
    LIMIT 1 BY sender, receiver
  )
  ORDER BY address, block_time DESC, position DESC
  LIMIT {limit:UInt32} BY address
)
ORDER BY address, time, tx_hash
