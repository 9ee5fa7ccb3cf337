SELECT key, state, payer, nonce, valid_before, amount, asset, network, operation, fingerprint, request_id, transaction, reason, answer
FROM payments
WHERE key = {key:String}
ORDER BY version DESC
LIMIT 1
