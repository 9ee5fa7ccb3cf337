-- spoken_of: addresses that a label, a sanction list or an issuer ever spoke of, whatever became of it. Few are, and what is
-- said of them costs much more to ask, so every verdict asks here first. Rows stay when a label is taken back or a block
-- undone: who is named may be looked at in vain.

CREATE TABLE spoken_of ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  address String COMMENT 'Canonical address',
  listed SimpleAggregateFunction(max, UInt8) COMMENT '1 when a sanction list or an issuer spoke of it, 0 when only labels did'
)
ENGINE = ${engine:AggregatingMergeTree}
ORDER BY (network, address)
SETTINGS ${deduplication_window:10000}, index_granularity = 256
COMMENT 'Addresses that a label, a sanction list or an issuer ever spoke of';

CREATE MATERIALIZED VIEW spoken_of_labels ${on_cluster} TO spoken_of AS
SELECT DISTINCT network, address, 0 AS listed FROM address_labels;

CREATE MATERIALIZED VIEW spoken_of_authority ${on_cluster} TO spoken_of AS
SELECT DISTINCT network, subject AS address, 1 AS listed FROM authority
WHERE event IN ('sanction_add', 'sanction_remove', 'freeze', 'unfreeze', 'seize');

CREATE MATERIALIZED VIEW spoken_of_authority_hot ${on_cluster} TO spoken_of AS
SELECT DISTINCT network, subject AS address, 1 AS listed FROM authority_hot
WHERE is_deleted = 0 AND event IN ('sanction_add', 'sanction_remove', 'freeze', 'unfreeze', 'seize');

INSERT INTO spoken_of (network, address, listed)
SELECT network, address, max(l.said) AS listed
FROM (
  SELECT network, address, 0 AS said FROM address_labels
  UNION ALL
  SELECT network, subject AS address, 1 AS said FROM authority_listings
  UNION ALL
  SELECT network, subject AS address, 1 AS said FROM authority_hot
  WHERE event IN ('sanction_add', 'sanction_remove', 'freeze', 'unfreeze', 'seize')
) AS l
GROUP BY network, address;
