-- Amounts received in borrow calls and paid in repay calls by asset, with the number of calls.
SELECT c.address AS address, c.call AS call, l.asset AS asset,
  toFloat64(sum(l.amount)) AS amount, toFloat64(uniqExact(c.tx)) AS transactions
FROM (
  SELECT sender AS address, bitShiftRight(position, 19) AS tx,
    if(selector IN {borrows:Array(String)}, 'borrow', 'repay') AS call
  FROM {transactions_table:Identifier}
  WHERE network = {network:String} AND sender IN {addresses:Array(String)} AND block_number <= {head:UInt32}
    AND status != 0 AND receiver IN {lenders:Array(String)}
    AND (selector IN {borrows:Array(String)} OR selector IN {repays:Array(String)})
) AS c
INNER JOIN (
  SELECT address, bitShiftRight(position, 19) AS tx, asset, direction, amount
  FROM {ledger_table:Identifier}
  WHERE network = {network:String} AND address IN {addresses:Array(String)} AND block_number <= {head:UInt32}
    AND initiator = address AND kind IN ('native', 'internal', 'fungible') AND asset IN {assets:Array(String)}
) AS l ON l.address = c.address AND l.tx = c.tx
WHERE l.direction = if(c.call = 'borrow', 1, -1)
GROUP BY address, call, asset
ORDER BY address, call, asset
