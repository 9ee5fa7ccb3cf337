-- NFTs of the collections that left their owners in transactions that others signed, within a period.
SELECT
  address AS owner, asset, toString(l.amount) AS amount, counterparty AS taker, initiator, tx_hash,
  toString(l.position) AS position, toUnixTimestamp(l.block_time) AS time, toUInt32(block_number) AS block_number
FROM {ledger_table:Identifier} AS l
WHERE network = {network:String} AND address IN {owners:Array(String)} AND asset IN {assets:Array(String)}
  AND kind IN ('nft', 'multi') AND direction = -1 AND initiator != address
  AND l.block_time BETWEEN toDateTime({since:UInt32}, 'UTC') AND toDateTime({until:UInt32}, 'UTC')
