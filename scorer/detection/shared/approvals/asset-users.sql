-- Owners who signed something about an asset themselves (an approval or a movement), or whose own code was called by the transaction that
-- reported their approval (a smart account, a multisig).
SELECT DISTINCT owner, asset
FROM (
  SELECT owner, asset
  FROM {approvals_table:Identifier}
  WHERE network = {network:String} AND owner IN {owners:Array(String)} AND asset IN {assets:Array(String)} AND initiator = owner
  UNION ALL
  SELECT address AS owner, asset
  FROM {ledger_table:Identifier}
  WHERE network = {network:String} AND address IN {owners:Array(String)} AND asset IN {assets:Array(String)} AND initiator = address
  UNION ALL
  SELECT a.owner AS owner, a.asset AS asset
  FROM (
    SELECT owner, asset, tx_hash FROM {approvals_table:Identifier}
    WHERE network = {network:String} AND owner IN {owners:Array(String)} AND asset IN {assets:Array(String)}
  ) AS a
  INNER JOIN (
    SELECT receiver, tx_hash FROM {transactions_table:Identifier}
    WHERE network = {network:String} AND receiver IN {owners:Array(String)} AND sender IN (
      SELECT initiator FROM {approvals_table:Identifier}
      WHERE network = {network:String} AND owner IN {owners:Array(String)} AND asset IN {assets:Array(String)}
    )
  ) AS t ON t.tx_hash = a.tx_hash AND t.receiver = a.owner
)
ORDER BY owner, asset
