-- address_labels: every finding about an address, by whom, how sure, and on what evidence. A retraction is a newer
-- version of the same finding.

CREATE TABLE address_labels ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  address String COMMENT 'Canonical address',
  label LowCardinality(String) COMMENT 'What was found: honeypot, rug_executed, fake_token, drainer, phishing, service, darknet, ...',
  detector LowCardinality(String) COMMENT 'Who found it: a detector of ours or an imported source; named in data_source',
  class LowCardinality(String) COMMENT 'asserted (an authority says so), reported (an imported list says so), detected (a rule over indexed data) or propagated (follows from other labels)',
  confidence Float32 COMMENT '0 to 1; 0.9 and more raises flags',
  detector_version LowCardinality(String) COMMENT 'Version of the rule or of the imported list',
  evidence String COMMENT 'JSON: transactions, counterparties, amounts the finding rests on' CODEC(ZSTD(1)),
  tx_hash String DEFAULT '' COMMENT 'Transaction that shows it best; empty for none' CODEC(ZSTD(1)),
  block_number UInt32 DEFAULT 0 COMMENT 'Height at which it was found; 0 for imported labels',
  revoked UInt8 DEFAULT 0 COMMENT '1 when the finding was taken back',
  found_at DateTime('UTC') COMMENT 'When it was found or taken back',
  version UInt64 COMMENT 'Newer versions replace older ones of the same network, address, label and detector'
)
ENGINE = ${engine:ReplacingMergeTree(version)}
ORDER BY (network, address, label, detector)
SETTINGS ${deduplication_window:1000}, index_granularity = 256
COMMENT 'Findings about addresses. Read through current_labels';

CREATE TABLE label_imports ${on_cluster} (
  import String COMMENT 'Which import the row belongs to',
  network LowCardinality(String) COMMENT 'Network code',
  address String COMMENT 'Canonical address',
  label LowCardinality(String) COMMENT 'As in address_labels',
  class LowCardinality(String) COMMENT 'As in address_labels',
  confidence Float32 COMMENT 'As in address_labels',
  detector_version LowCardinality(String) COMMENT 'Version of the list',
  evidence String COMMENT 'As in address_labels' CODEC(ZSTD(1)),
  revoked UInt8 COMMENT '1 when the list takes the label back',
  staged_at DateTime('UTC') DEFAULT now() COMMENT 'When it was read'
)
ENGINE = ${engine:MergeTree}
ORDER BY (import, network, address, label)
TTL staged_at + INTERVAL 1 DAY
COMMENT 'Rows of label files while they are looked at: everything an import does is one statement over them. Emptied afterwards';

CREATE VIEW current_labels ${on_cluster} AS
SELECT l.network AS network, l.address AS address, l.label AS label, l.detector AS detector,
  argMax(l.class, l.version) AS class, argMax(l.confidence, l.version) AS confidence,
  argMax(l.detector_version, l.version) AS detector_version, argMax(l.evidence, l.version) AS evidence,
  argMax(l.tx_hash, l.version) AS tx_hash, argMax(l.block_number, l.version) AS block_number,
  argMax(l.found_at, l.version) AS found_at
FROM address_labels AS l
GROUP BY l.network, l.address, l.label, l.detector
HAVING argMax(l.revoked, l.version) = 0
COMMENT 'Findings in force: newest version of each, retracted ones left out';
