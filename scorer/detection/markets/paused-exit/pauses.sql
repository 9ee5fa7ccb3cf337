-- Pauses and resumptions of tokens with their signers, in chain order: the newest hundred per token.
SELECT token, event, actor, time, tx_hash FROM (
  SELECT authority AS token, event, actor, toUnixTimestamp(block_time) AS time, tx_hash, position
  FROM {authority_table:Identifier}
  WHERE network = {network:String} AND authority IN {tokens:Array(String)} AND event IN ('pause', 'unpause')
  ORDER BY token, position DESC
  LIMIT 100 BY token
)
ORDER BY token, position
