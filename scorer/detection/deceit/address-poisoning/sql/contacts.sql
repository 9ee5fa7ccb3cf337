-- Counterparties of the victims with the start or end of a suspect: the suspects themselves and the addresses they imitate. `paid`:
-- the victim may have paid them (it signed movements, and something went there); `dealings.sql` gives the details.
SELECT address AS victim, counterparty,
  toUInt8(sum(native_out_count) + sum(token_out_count) > 0 AND sum(e.own) > 0) AS paid
FROM {unmerged_wallet_edges_table:Identifier} AS e
WHERE network = {network:String} AND address IN {victims:Array(String)}
  AND (substring(counterparty, {start:UInt8}, {length:UInt8}) IN {heads:Array(String)} OR right(counterparty, {length:UInt8}) IN {tails:Array(String)})
GROUP BY address, counterparty
ORDER BY victim, counterparty
