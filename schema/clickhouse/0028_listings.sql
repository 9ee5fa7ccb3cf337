-- authority_listings: sanction lists and issuer freezes, replayed in block order.

CREATE TABLE authority_listings ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  subject String COMMENT 'Whom the list is about',
  list LowCardinality(String) COMMENT 'sanctions or freeze',
  authority String COMMENT 'Contract that speaks: oracle or issuer',
  latest SimpleAggregateFunction(max, Tuple(position UInt64, listed UInt8, time DateTime('UTC'), tx_hash String)) COMMENT 'Position of the newest word about the subject, what it was (1 listed, 0 released), its time and transaction',
  latest_add SimpleAggregateFunction(max, Tuple(position UInt64, time DateTime('UTC'), tx_hash String)) COMMENT 'Position, time and transaction of the newest listing; zeroes when there was none',
  seized SimpleAggregateFunction(sum, UInt64) COMMENT 'Times the issuer destroyed the subject''s funds'
)
ENGINE = ${engine:AggregatingMergeTree}
ORDER BY (network, subject, list, authority)
SETTINGS ${deduplication_window:10000}, index_granularity = 1024
COMMENT 'Newest word of each authority about each subject. Listed while the second part of latest is 1';

CREATE MATERIALIZED VIEW authority_listings_from_authority ${on_cluster} TO authority_listings AS
SELECT network, subject, if(startsWith(event, 'sanction'), 'sanctions', 'freeze') AS list, authority,
  max(if(event = 'seize', (toUInt64(0), 0, toDateTime(0, 'UTC'), ''), (position, event IN ('sanction_add', 'freeze'), block_time, tx_hash))) AS latest,
  max(if(event IN ('sanction_add', 'freeze'), (position, block_time, tx_hash), (toUInt64(0), toDateTime(0, 'UTC'), ''))) AS latest_add,
  countIf(event = 'seize') AS seized
FROM authority
WHERE event IN ('sanction_add', 'sanction_remove', 'freeze', 'unfreeze', 'seize')
GROUP BY network, subject, list, authority;

CREATE VIEW authority_listings_hot ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray((settled, head))) FROM hot_bounds) AS bounds
SELECT network, subject, if(startsWith(event, 'sanction'), 'sanctions', 'freeze') AS list, authority,
  max(if(event = 'seize', (toUInt64(0), 0, toDateTime(0, 'UTC'), ''), (position, event IN ('sanction_add', 'freeze'), block_time, tx_hash))) AS latest,
  max(if(event IN ('sanction_add', 'freeze'), (position, block_time, tx_hash), (toUInt64(0), toDateTime(0, 'UTC'), ''))) AS latest_add,
  countIf(event = 'seize') AS seized
FROM authority_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND event IN ('sanction_add', 'sanction_remove', 'freeze', 'unfreeze', 'seize')
GROUP BY network, subject, list, authority
COMMENT 'States of hot rows above the watermark, in the shape of authority_listings';

CREATE VIEW authority_listings_all ${on_cluster} AS
SELECT s.network AS network, s.subject AS subject, s.list AS list, s.authority AS authority,
  max(s.latest).2 AS listed, max(s.latest).3 AS said_at, max(s.latest).4 AS said_in,
  max(s.latest_add).2 AS listed_at, max(s.latest_add).3 AS listed_in,
  sum(s.seized) AS seized
FROM (
  SELECT network, subject, list, authority, latest, latest_add, seized
  FROM authority_listings
  UNION ALL
  SELECT network, subject, list, authority, latest, latest_add, seized
  FROM authority_listings_hot
) AS s
GROUP BY s.network, s.subject, s.list, s.authority
COMMENT 'Newest word of each authority about each subject: listed is 1 while it holds. Final and hot merged';

CREATE VIEW authority_listings_final ${on_cluster} AS
SELECT s.network AS network, s.subject AS subject, s.list AS list, s.authority AS authority,
  max(s.latest).2 AS listed, max(s.latest).3 AS said_at, max(s.latest).4 AS said_in,
  max(s.latest_add).2 AS listed_at, max(s.latest_add).3 AS listed_in,
  sum(s.seized) AS seized
FROM authority_listings AS s
GROUP BY s.network, s.subject, s.list, s.authority
COMMENT 'Newest word of each authority about each subject: listed is 1 while it holds. Final rows only';
