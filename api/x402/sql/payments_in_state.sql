-- Attempts that have been in some states for a while, a page at a time.
SELECT key, attempt, state, toUnixTimestamp64Milli(begun) AS begun_ms, toUnixTimestamp64Milli(moved) AS moved_ms,
  payer, receiver, nonce, valid_before, amount, asset, network, operation, fingerprint, proof, request_id, transaction, reason, answer
FROM payments FINAL
WHERE state IN {states:Array(String)}
  AND moved < fromUnixTimestamp64Milli({before:Int64}, 'UTC')
  AND (moved, key, attempt) > (fromUnixTimestamp64Milli({after_moved:Int64}, 'UTC'), {after_key:String}, {after_attempt:String})
ORDER BY moved, key, attempt
LIMIT {limit:UInt32}
