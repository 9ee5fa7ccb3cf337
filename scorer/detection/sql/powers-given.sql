-- Whom some contract's own events put in charge of it (or took a role from) before a position, in chain order; who signed, and
-- what that transaction called. Of roles only those of `roles` count.
SELECT a.event AS event, a.subject AS subject, a.actor AS actor, a.detail AS detail, t.receiver AS called, t.selector AS selector,
  toUnixTimestamp(a.block_time) AS time
FROM (
  SELECT event, subject, actor, detail, tx_hash, block_time, position
  FROM {authority_table:Identifier}
  WHERE network = {network:String} AND authority = {contract:String} AND position < {before:UInt64}
    AND (event IN ('owner_change', 'admin_change') OR event IN ('role_grant', 'role_revoke') AND detail IN {roles:Array(String)})
  ORDER BY position
  LIMIT 1000
) AS a
LEFT JOIN (
  SELECT tx_hash, receiver, selector
  FROM {transactions_table:Identifier}
  WHERE network = {network:String} AND tx_hash IN (
    SELECT tx_hash FROM {authority_table:Identifier}
    WHERE network = {network:String} AND authority = {contract:String} AND position < {before:UInt64})
) AS t ON t.tx_hash = a.tx_hash
ORDER BY a.position
