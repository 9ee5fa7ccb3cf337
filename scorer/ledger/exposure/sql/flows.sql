-- Value that came to the addresses (direction 1) or went from them (-1), by counterparty, out of each address's newest rows
-- looking back and oldest looking ahead, within its time bound. Assets without a price have no value.
SELECT address, counterparty,
  sum(toFloat64(amount) * transform(asset, {assets:Array(String)}, {units:Array(Float64)}, 0.)) AS value,
  toUnixTimestamp(if({direction:Int8} = 1, max(block_time), min(block_time))) AS time
FROM (
  SELECT address, counterparty, asset, amount, block_time
  FROM {ledger_table:Identifier}
  WHERE network = {network:String} AND address IN {addresses:Array(String)} AND direction = {direction:Int8}
    AND block_number <= {head:UInt32}
    AND kind IN ('native', 'internal', 'fungible') AND asset IN {assets:Array(String)} AND amount > 0
    AND counterparty NOT IN ('', address)
    AND if({direction:Int8} = 1,
      toUnixTimestamp(block_time) <= transform(address, {addresses:Array(String)}, {bounds:Array(UInt64)}, toUInt64(0)),
      toUnixTimestamp(block_time) >= transform(address, {addresses:Array(String)}, {bounds:Array(UInt64)}, toUInt64(0)))
  ORDER BY address, toInt64(position) * {direction:Int8} DESC
  LIMIT {rows:UInt32} BY address
)
GROUP BY address, counterparty
HAVING value > 0
ORDER BY address, value DESC, counterparty
