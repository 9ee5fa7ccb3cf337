-- Movements of the addresses: of priced assets the largest (`usd` by `units`, capped by `caps`), so that many small ones hide
-- nothing; of other assets the newest that the address signed, which are its purchases and sales.
SELECT address, counterparty, direction, asset, priced, usd, time, toFloat64(position) AS position, tx_hash AS tx, own
FROM (
  SELECT address, counterparty, direction, asset, asset IN {assets:Array(String)} AS priced,
    least(toFloat64(amount) * transform(asset, {assets:Array(String)}, {units:Array(Float64)}, 0.),
      transform(asset, {assets:Array(String)}, {caps:Array(Float64)}, 0.)) AS usd,
    toUnixTimestamp(block_time) AS time, position, tx_hash, initiator = address AS own
  FROM {ledger_table:Identifier}
  WHERE network = {network:String} AND address IN {addresses:Array(String)} AND block_number <= {head:UInt32}
    AND kind IN ('native', 'internal', 'fungible', 'wrap') AND amount > 0 AND counterparty NOT IN ('', address)
    AND (asset IN {assets:Array(String)} OR initiator = address)
)
ORDER BY address, priced, usd DESC, position DESC
LIMIT {rows:UInt32} BY address, priced
