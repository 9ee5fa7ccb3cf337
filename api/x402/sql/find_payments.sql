-- The last word on every attempt with some authorizations.
SELECT key, attempt, state, toUnixTimestamp64Milli(begun) AS begun_ms, toUnixTimestamp64Milli(moved) AS moved_ms,
  payer, receiver, nonce, valid_before, amount, asset, network, operation, fingerprint, proof, request_id, transaction, reason, answer
FROM payments
WHERE key IN {keys:Array(String)}
ORDER BY key, attempt, version DESC
LIMIT 1 BY key, attempt
