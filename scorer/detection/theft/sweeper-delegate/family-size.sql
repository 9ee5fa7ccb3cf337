-- Number of authorizations of each family, over all delegates with the same code.
SELECT c.code_hash AS family, toFloat64(sum(f.delegators)) AS authorities
FROM (
  SELECT DISTINCT contract, code_hash FROM {creations_table:Identifier}
  WHERE network = {network:String} AND event = 'create' AND code_hash IN {families:Array(String)}
) AS c
INNER JOIN (
  SELECT address, delegators FROM {wallet_features_table:Identifier}
  WHERE network = {network:String} AND address IN (
    SELECT contract FROM {creations_table:Identifier} WHERE network = {network:String} AND event = 'create' AND code_hash IN {families:Array(String)}
  )
) AS f ON f.address = c.contract
GROUP BY family
