-- Accounts that the wallets sent native coins to and received something from, all within `within` seconds. Only movements of known
-- assets count that one of the two signed: anybody can name both in a transfer of zero, or in events of his own token.
SELECT address AS sink, counterparty AS account, toUnixTimestamp(min(block_time)) AS first_seen, toUnixTimestamp(max(block_time)) AS last_seen
FROM {ledger_table:Identifier} AS l
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND kind IN ('native', 'internal', 'fungible')
  AND l.amount > 0 AND asset IN {assets:Array(String)} AND initiator IN (address, counterparty)
  AND (address, counterparty) IN (
    SELECT address, counterparty
    FROM {unmerged_wallet_edges_table:Identifier} AS e
    WHERE network = {network:String} AND address IN {addresses:Array(String)}
    GROUP BY address, counterparty
    HAVING sum(e.native_out_count) > 0 AND sum(e.native_in_count) + sum(e.token_in_count) > 0
  )
GROUP BY address, counterparty
HAVING countIf(direction = -1 AND asset = '') > 0 AND countIf(direction = 1) > 0
  AND toUnixTimestamp(max(block_time)) - toUnixTimestamp(min(block_time)) <= {within:UInt32}
ORDER BY sink, last_seen
LIMIT 1000 BY sink
