-- Counterparties of the victims that start or end like one of the suspects: the suspects themselves and whom they imitate.
-- `given` counts movements of value to the counterparty, `own` the movements the victim signed.
SELECT address AS victim, counterparty, toFloat64(sum(native_out_count) + sum(token_out_count)) AS given, toFloat64(sum(e.own)) AS own,
  toUnixTimestamp(min(e.first_seen)) AS first_seen
FROM {unmerged_wallet_edges_table:Identifier} AS e
WHERE network = {network:String} AND address IN {victims:Array(String)}
  AND (substring(counterparty, {start:UInt8}, {length:UInt8}) IN {heads:Array(String)} OR right(counterparty, {length:UInt8}) IN {tails:Array(String)})
GROUP BY address, counterparty
ORDER BY victim, counterparty
