-- Losses of the owners in the transactions, what was left of the asset, and whether they got anything in return. Wraps count as receipts;
-- unwraps reduce the balance but are not losses.
WITH
  moved AS (
    SELECT address, asset, kind, direction, position, tx_hash, l.amount AS moved_amount,
      sum(if(direction = 1, toInt256(l.amount), -toInt256(l.amount))) OVER (
        PARTITION BY address, asset ORDER BY position, direction DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS balance
    FROM {ledger_table:Identifier} AS l
    WHERE network = {network:String} AND address IN {victims:Array(String)} AND asset IN {assets:Array(String)} AND kind IN ('native', 'internal', 'fungible', 'wrap')
  ),
  repaid AS (
    SELECT DISTINCT address, tx_hash
    FROM {ledger_table:Identifier} AS l
    WHERE network = {network:String} AND address IN {victims:Array(String)} AND direction = 1 AND l.amount > 0 AND tx_hash IN {transactions:Array(String)}
  )
SELECT
  m.address AS victim, m.tx_hash AS tx_hash, m.asset AS asset, toFloat64(sum(m.moved_amount)) AS lost,
  toFloat64(argMax(m.balance, m.position)) AS left_over, (m.address, m.tx_hash) IN (SELECT address, tx_hash FROM repaid) AS repaid,
  any(f.sent) > 0 AND any(f.created) = 0 AS signs, any(c.selector) AS selector
FROM moved AS m
LEFT JOIN (
  SELECT address, sent, created FROM {wallet_features_table:Identifier} WHERE network = {network:String} AND address IN {victims:Array(String)}
) AS f ON f.address = m.address
LEFT JOIN (
  SELECT sender, tx_hash, selector FROM {transactions_table:Identifier}
  WHERE network = {network:String} AND sender IN {victims:Array(String)} AND tx_hash IN {transactions:Array(String)}
) AS c ON c.sender = m.address AND c.tx_hash = m.tx_hash
WHERE m.direction = -1 AND m.kind != 'wrap' AND m.tx_hash IN {transactions:Array(String)}
GROUP BY m.address, m.tx_hash, m.asset
ORDER BY victim, tx_hash, asset
