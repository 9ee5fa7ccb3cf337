-- Accounts that were given a role of a contract at any time and still have it, two of each role, those given last first. Whoever
-- has a role may do the same as the others.
SELECT subject AS address
FROM (
  SELECT subject, detail, argMax(event, position) AS newest, max(position) AS at
  FROM authority_all
  WHERE network = {network:String} AND authority = {contract:String} AND event IN ('role_grant', 'role_revoke')
  GROUP BY subject, detail
)
WHERE newest = 'role_grant' AND subject != ''
ORDER BY at DESC, subject
LIMIT 2 BY detail
LIMIT {limit:UInt32}
