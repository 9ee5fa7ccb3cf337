-- Payments in coins and base assets between some accounts and insiders of a token, in both directions. The largest of
-- each account, because anyone can send many small ones.
SELECT address, direction, asset, toString(amount) AS amount, toUnixTimestamp(block_time) AS time
FROM ledger_all
WHERE network = {network:String} AND address IN {accounts:Array(String)} AND counterparty IN {insiders:Array(String)}
  AND kind IN ('native', 'internal', 'fungible') AND asset IN {assets:Array(String)} AND block_time >= toDateTime({since:UInt32}, 'UTC')
ORDER BY ledger_all.amount DESC, position
LIMIT 50 BY address, asset, direction
