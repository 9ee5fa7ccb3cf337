-- Largest counterparties of an address in native coin received (direction 1) or sent (-1), then by number of movements, with their
-- total number and value.
SELECT
  counterparty, toString(coins) AS value, toFloat64(movements) AS movements, toFloat64(tokens) AS tokens,
  toUnixTimestamp(first_seen) AS first, toUnixTimestamp(last_seen) AS last,
  toFloat64(count() OVER ()) AS all_counterparties, toString(sum(coins) OVER ()) AS all_value
FROM (
  SELECT
    counterparty, first_seen, last_seen,
    if({direction:Int8} = 1, native_in, native_out) AS coins,
    if({direction:Int8} = 1, token_in_count, token_out_count) AS tokens,
    if({direction:Int8} = 1, native_in_count + token_in_count, native_out_count + token_out_count) AS movements
  FROM {wallet_edges_table:Identifier}
  WHERE network = {network:String} AND address = {address:String}
)
WHERE movements > 0
ORDER BY coins DESC, movements DESC, counterparty
LIMIT {most:UInt32}
