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
