-- Whether a contract had an owner and then none.
SELECT count() > 0 AS given_up
FROM authority_all
WHERE network = {network:String} AND authority = {contract:String} AND event = 'owner_change'
  AND subject = {nobody:String} AND detail NOT IN ('', {nobody:String})
