CREATE TABLE api_keys ${on_cluster}
(
    id         String COMMENT 'Name of the key in lists, logs and metrics; tells nothing of the key',
    version    UInt64 COMMENT 'Microseconds since the epoch of this state; the highest is in force',
    tier       LowCardinality(String) COMMENT 'business or enterprise',
    label      String COMMENT 'Whom or what the key is for, as its creator wrote it',
    hash       FixedString(64) COMMENT 'SHA-256 of the key, hex. The key itself is stored nowhere',
    prefix     String COMMENT 'First characters of the key, to recognise it by',
    created    DateTime64(3, 'UTC') COMMENT 'When it was made',
    expires    DateTime64(3, 'UTC') COMMENT 'From when on it is refused; the epoch means never',
    revoked    UInt8 COMMENT '1 when it was taken back',
    replaced   String COMMENT 'Id of the key this one replaced by rotation, else empty'
)
ENGINE = ${engine:ReplacingMergeTree(version)}
ORDER BY id
COMMENT 'API keys, hashed: who may call, on which tier, until when'
