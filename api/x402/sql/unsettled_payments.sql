SELECT key, state, payer, nonce, valid_before, amount, asset, network, operation, fingerprint, request_id, transaction, reason, answer
FROM payments FINAL
WHERE state = 'settling' AND version < {before:UInt64}
ORDER BY version
LIMIT 1000
