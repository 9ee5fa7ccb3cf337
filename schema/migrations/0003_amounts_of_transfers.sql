-- Amounts of transfers lost the digits after the first before the decimal point: leftPad cuts off what is longer.

CREATE OR REPLACE VIEW transfers ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code, as in table networks',
  block_number UInt32 COMMENT 'Height of the block',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  position UInt64 COMMENT 'Sortable position in the network',
  tx_hash String COMMENT 'Hash of the transaction',
  from_address String COMMENT 'Account it moved from',
  to_address String COMMENT 'Account it moved to',
  kind LowCardinality(String) COMMENT 'native, internal (call inside a transaction), fungible, nft, multi or wrap',
  asset String COMMENT 'Token contract; empty for the native coin',
  symbol String COMMENT 'Symbol of the coin or token as stated; empty when unknown',
  decimals Nullable(Int16) COMMENT 'Decimal places of the asset; 0 for nft and multi, NULL when unknown',
  amount Nullable(Decimal(76, 18)) COMMENT 'Amount in whole coins or tokens; digits after the 18th are cut off. NULL when decimals are unknown or the amount is of 58 digits and more',
  amount_raw UInt256 COMMENT 'Exact amount in base units',
  token_id UInt256 COMMENT 'Token id of nft and multi movements, else 0',
  initiator String COMMENT 'Sender of the transaction'
) AS
SELECT l.network AS network, l.block_number AS block_number, l.block_time AS block_time, l.position AS position,
  l.tx_hash AS tx_hash, l.address AS from_address, l.counterparty AS to_address, l.kind AS kind, l.asset AS asset,
  if(l.asset = '', n.native_symbol, t.symbol) AS symbol,
  multiIf(l.asset = '', toInt16(n.native_decimals), l.kind IN ('nft', 'multi'), toInt16(0), t.token = '', NULL, t.decimals) AS decimals,
  if(decimals IS NULL, NULL, toDecimal256OrNull(if(decimals = 0, toString(l.amount),
    concat(substring(leftPad(toString(l.amount), greatest(length(toString(l.amount)), toUInt32(assumeNotNull(decimals)) + 1), '0'), 1, length(leftPad(toString(l.amount), greatest(length(toString(l.amount)), toUInt32(assumeNotNull(decimals)) + 1), '0')) - assumeNotNull(decimals)), '.', right(leftPad(toString(l.amount), greatest(length(toString(l.amount)), toUInt32(assumeNotNull(decimals)) + 1), '0'), assumeNotNull(decimals)))), 18)) AS amount,
  l.amount AS amount_raw, l.token_id AS token_id, l.initiator AS initiator
FROM ledger_all AS l
LEFT JOIN (SELECT network, native_symbol, native_decimals FROM networks FINAL) AS n ON n.network = l.network
LEFT JOIN tokens_current AS t ON t.network = l.network AND t.token = l.asset
WHERE l.direction = -1
COMMENT 'Value movements, one row each, from sender to receiver, with amounts in whole coins. Fast by network and from_address; for everything one wallet moved in both directions use ledger_all';
