-- Current members of a contract's roles: two per role, newest first. All members of a role can do the same.
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
