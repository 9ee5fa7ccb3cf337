-- dust_carries: movements of nothing or of next to nothing between two others, sorted by who signed the transaction.
-- Address poisoning is seen from its sender here; ledger itself is sorted by the parties of a movement.

CREATE TABLE dust_carries ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  initiator String COMMENT 'Sender of the transaction, who is no party of the movement' CODEC(ZSTD(1)),
  block_number UInt32 COMMENT 'Height of the block' CODEC(Delta, ZSTD(1)),
  block_time DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta, ZSTD(1)),
  position UInt64 COMMENT 'Sortable position in the network' CODEC(Delta, ZSTD(1)),
  tx_hash String COMMENT 'Hash of the transaction' CODEC(ZSTD(1)),
  giver String COMMENT 'From whom it moved' CODEC(ZSTD(1)),
  taker String COMMENT 'To whom it moved' CODEC(ZSTD(1)),
  asset String COMMENT 'Token contract' CODEC(ZSTD(1)),
  amount UInt256 COMMENT 'Amount in base units of the asset' CODEC(ZSTD(1))
)
ENGINE = ${engine:MergeTree}
PARTITION BY network
ORDER BY (network, initiator, position)
SETTINGS ${deduplication_window:10000}, index_granularity = 1024
COMMENT 'Fungible movements of at most 10 million base units (10 whole tokens of 18 decimals on BNB) between two others than the signer. Final blocks only; see dust_carries_all';

CREATE MATERIALIZED VIEW dust_carries_from_ledger ${on_cluster} TO dust_carries AS
SELECT network, initiator, block_number, block_time, position, tx_hash, address AS giver, counterparty AS taker, asset, amount
FROM ledger
WHERE kind = 'fungible' AND direction = -1 AND initiator NOT IN ('', address, counterparty)
  AND amount <= if(network = 'BNB', toUInt256('10000000000000000000'), toUInt256(10000000));

CREATE VIEW dust_carries_all ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray(settled)) FROM settled_heights) AS settled_of
SELECT network, initiator, block_number, block_time, position, tx_hash, giver, taker, asset, amount
FROM dust_carries
WHERE NOT mapContains(settled_of, toString(network)) OR block_number <= settled_of[toString(network)]
UNION ALL
SELECT network, initiator, block_number, block_time, position, tx_hash, address AS giver, counterparty AS taker, asset, amount
FROM ledger_hot FINAL
WHERE block_number > settled_of[toString(network)] AND kind = 'fungible' AND direction = -1
  AND initiator NOT IN ('', address, counterparty)
  AND amount <= if(network = 'BNB', toUInt256('10000000000000000000'), toUInt256(10000000))
COMMENT 'Movements of nothing or of dust between two others than the signer. Final rows up to the watermark and hot rows above it: every block once';
