-- Counterparties of the victims that start or end like one of the suspects: the suspects themselves and whom they imitate.
-- `given` counts movements of value to the counterparty, `own` the movements the victim signed.
SELECT address AS victim, counterparty, toFloat64(native_out_count + token_out_count) AS given, toFloat64(own) AS own, toUnixTimestamp(first_seen) AS first_seen
FROM wallet_edges_all
WHERE network = {network:String} AND address IN {victims:Array(String)}
  AND (substring(counterparty, {start:UInt8}, {length:UInt8}) IN {heads:Array(String)} OR right(counterparty, {length:UInt8}) IN {tails:Array(String)})
ORDER BY victim, counterparty
