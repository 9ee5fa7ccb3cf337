-- contract_records: newest analysis of each contract, and what analyses were.

CREATE TABLE contract_records ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, BASE or HAQQ',
  address String COMMENT 'Contract or pool that was asked about, lower-case hex',
  version UInt64 COMMENT 'Grows with every computation: milliseconds since the epoch',
  token String COMMENT 'Token that was scored: the address itself, or the token of the pool',
  status LowCardinality(String) COMMENT 'Fraud or Not Fraud',
  probability Float64 COMMENT 'Probability of a rug pull, 0 to 1',
  risk_score UInt8 COMMENT 'Risk score, 0 to 100',
  honeypot UInt8 COMMENT '1 when sells are blocked',
  dead UInt8 COMMENT '1 when the token had a pool whose liquidity insiders removed',
  owner String COMMENT 'Owner at the time, empty when there is none',
  pool String COMMENT 'Pool that was analysed, empty when there is none',
  code_hash String COMMENT 'keccak-256 of the code that runs, without metadata trailer',
  family_hash String COMMENT 'keccak-256 of its opcodes with push data blanked: one family of contracts',
  body String COMMENT 'JSON of the record without contractAddress, checked_times and updatedAt: the bytes that are served' CODEC(ZSTD(3)),
  reasons String COMMENT 'JSON of what risk score and probability rest on: code, contribution, evidence' CODEC(ZSTD(3)),
  unknowns String COMMENT 'JSON object of flags that could not be determined, with why; the record shows 0 for them' CODEC(ZSTD(3)),
  data_height UInt32 COMMENT 'Block the analysis was pinned to',
  data_hash String COMMENT 'Hash of that block: a record of a block that is no longer in the chain is made again',
  tables_height UInt32 COMMENT 'Newest complete block in the tables when the analysis began; 0 when there was none',
  watched Array(String) COMMENT 'Addresses whose events make the record outdated: token, pools, owner, creator, code behind proxies, insiders' CODEC(ZSTD(3)),
  created_at DateTime('UTC') COMMENT 'First analysed',
  computed_at DateTime('UTC') COMMENT 'Last analysed',
  INDEX by_token token TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_code code_hash TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_family family_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ${engine:ReplacingMergeTree(version)}
ORDER BY (network, address)
SETTINGS index_granularity = 1024
COMMENT 'Newest analysis of each contract. Look up with ORDER BY version DESC LIMIT 1 BY network, address';

CREATE TABLE contract_watches ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, BASE or HAQQ',
  watched String COMMENT 'Address whose events concern the record',
  address String COMMENT 'Address of the record',
  version UInt64 COMMENT 'Version of the record that said so'
)
ENGINE = ${engine:ReplacingMergeTree(version)}
ORDER BY (network, watched, address)
SETTINGS index_granularity = 1024
COMMENT 'Contract records by the addresses they rest on. Rows of earlier versions stay: at worst a record is made again for nothing';

CREATE MATERIALIZED VIEW contract_watches_from_records ${on_cluster} TO contract_watches AS
SELECT network, arrayJoin(watched) AS watched, address, version
FROM contract_records;

CREATE TABLE contract_retries ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, BASE or HAQQ',
  address String COMMENT 'Contract to be analysed',
  version UInt64 COMMENT 'Grows with every entry: milliseconds since the epoch',
  due_at DateTime64(3, 'UTC') COMMENT 'When to analyse it',
  attempts UInt16 COMMENT 'Analyses that failed in a row',
  reason LowCardinality(String) COMMENT 'refresh (an event came soon after the last analysis), gone (no code at the address) or the error code of the last failure',
  settled UInt8 COMMENT '1 when the analysis was made'
)
ENGINE = ${engine:ReplacingMergeTree(version)}
ORDER BY (network, address)
SETTINGS index_granularity = 1024
COMMENT 'Contract analyses put off: failures with their back-off, and refreshes that wait. Read with FINAL';

CREATE TABLE contract_progress ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, BASE or HAQQ',
  version UInt64 COMMENT 'Grows with every entry: milliseconds since the epoch',
  height UInt32 COMMENT 'Events up to this block have been followed by analyses',
  hash String COMMENT 'Hash of that block',
  verified UInt32 COMMENT 'Records up to this final block are known to be of the chain'
)
ENGINE = ${engine:ReplacingMergeTree(version)}
ORDER BY network
COMMENT 'How far the stream of contract analyses has come. Newest version counts'
