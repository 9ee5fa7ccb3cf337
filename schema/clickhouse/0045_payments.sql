CREATE TABLE payments ${on_cluster}
(
    key             String COMMENT 'chain id, asset, payer and nonce of the authorization: one authorization is one row',
    version         UInt64 COMMENT 'Microseconds since the epoch of this state; the highest is in force',
    state           LowCardinality(String) COMMENT 'settling: answer ready, settlement begun; settled; failed: not charged; unknown: fate of the settlement could not be learned',
    payer           String COMMENT 'Account that signed the authorization, lower-case hex',
    nonce           String COMMENT 'Nonce of the authorization (EIP-3009), hex',
    valid_before    UInt64 COMMENT 'Unix seconds after which the authorization cannot be settled any more',
    amount          UInt256 COMMENT 'Base units of the asset',
    asset           String COMMENT 'Token contract, lower-case hex',
    network         LowCardinality(String) COMMENT 'CAIP-2 chain id',
    operation       LowCardinality(String) COMMENT 'Operation that was paid for',
    fingerprint     String COMMENT 'SHA-256 of operation and request: the stored answer is given again to the same request only',
    request_id      String COMMENT 'Request that carried the payment',
    transaction     String COMMENT 'Hash of the settlement transaction, empty before',
    reason          String COMMENT 'Why it failed, empty otherwise',
    answer          String COMMENT 'Body that was or would have been delivered'
)
ENGINE = ${engine:ReplacingMergeTree(version)}
ORDER BY key
SETTINGS ${deduplication_window:1000}
COMMENT 'Ledger of payments by call (x402): what was authorized, what was settled, what was answered';
