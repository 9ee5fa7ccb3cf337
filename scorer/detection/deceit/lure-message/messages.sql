-- The first message with a web address and an invitation that the wallets sent to each receiver with next to nothing, in order of time; the
-- newest `limit` per wallet. With an amount that may be a small payout, it must also ask for an action. Brands are removed as in
-- `airdrop-phish/lures.ts`.
WITH
  normalizeUTF8NFKC(toValidUTF8(message)) AS text,
  replaceRegexpAll(replaceRegexpAll(text, {brand:String}, '\\1\\2'), {brand:String}, '\\1\\2') AS without_brands
SELECT address, receiver, message, tx_hash, toUnixTimestamp(block_time) AS time
FROM (
  SELECT address, receiver, message, tx_hash, block_time
  FROM (
    SELECT sender AS address, receiver, message, tx_hash, block_time, position
    FROM {transactions_table:Identifier}
    WHERE network = {network:String} AND sender IN {addresses:Array(String)} AND receiver NOT IN ('', sender)
      AND message != '' AND value <= {worthless:UInt256} AND NOT startsWith(message, 'data:') AND status != 0
      AND match(text, {address:String}) AND match(without_brands, {invitation:String})
      AND (value <= {nothing:UInt256} OR match(text, {call:String}))
    ORDER BY sender, receiver, block_time, position
    LIMIT 1 BY sender, receiver
  )
  ORDER BY address, block_time DESC, position DESC
  LIMIT {limit:UInt32} BY address
)
ORDER BY address, time, tx_hash
