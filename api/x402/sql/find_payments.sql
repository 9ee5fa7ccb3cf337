-- The last word on some payments.
SELECT key, state, payer, nonce, valid_before, amount, asset, network, operation, fingerprint, request_id, transaction, reason, answer
FROM payments
WHERE key IN {keys:Array(String)}
ORDER BY key, version DESC
LIMIT 1 BY key
