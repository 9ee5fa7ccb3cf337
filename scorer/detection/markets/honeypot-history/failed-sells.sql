-- Holders who approved a token for a spender and whose later call to the spender failed, with the first such call.
SELECT a.asset AS token, a.owner AS holder, argMin(t.tx_hash, t.position) AS tx_hash
FROM (
  SELECT asset, owner, spender, min(position) AS position FROM {approvals_table:Identifier}
  WHERE network = {network:String} AND owner IN {holders:Array(String)} AND asset IN {tokens:Array(String)} AND amount > 0
  GROUP BY asset, owner, spender
) AS a
INNER JOIN (
  SELECT sender, receiver, position, tx_hash FROM {transactions_table:Identifier}
  WHERE network = {network:String} AND sender IN {holders:Array(String)} AND status = 0
) AS t ON t.sender = a.owner AND t.receiver = a.spender
WHERE t.position > a.position
GROUP BY token, holder
ORDER BY token, holder
