-- wallet_swaps: swaps sorted by who started them. swaps itself is sorted by pool.

CREATE TABLE wallet_swaps ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  address String COMMENT 'Canonical address of the sender of the transaction' CODEC(ZSTD(1)),
  block_number UInt32 COMMENT 'Height of the block' CODEC(Delta, ZSTD(1)),
  block_time DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta, ZSTD(1)),
  position UInt64 COMMENT 'Sortable position in the network' CODEC(Delta, ZSTD(1)),
  pool String COMMENT 'Pool contract or id' CODEC(ZSTD(1))
)
ENGINE = ${engine:MergeTree}
PARTITION BY network
ORDER BY (network, address, block_time, position)
SETTINGS ${deduplication_window:10000}, index_granularity = 1024
COMMENT 'Swaps by the wallet that started them: who trades, and where. Final blocks only; see wallet_swaps_all';

CREATE MATERIALIZED VIEW wallet_swaps_from_swaps ${on_cluster} TO wallet_swaps AS
SELECT network, initiator AS address, block_number, block_time, position, pool
FROM swaps
WHERE initiator != '';

CREATE VIEW wallet_swaps_all ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray(settled)) FROM settled_heights) AS settled_of
SELECT network, address, block_number, block_time, position, pool
FROM wallet_swaps
WHERE NOT mapContains(settled_of, toString(network)) OR block_number <= settled_of[toString(network)]
UNION ALL
SELECT network, initiator AS address, block_number, block_time, position, pool
FROM swaps_hot FINAL
WHERE block_number > settled_of[toString(network)] AND initiator != ''
COMMENT 'Swaps by the wallet that started them. Final rows up to the watermark and hot rows above it: every block once';
