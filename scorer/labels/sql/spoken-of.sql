-- Of which addresses a label or a list may speak, in either tier: few are, and what is said of them costs much more to ask.
SELECT address, max(list) AS listed
FROM (
  SELECT address, 0 AS list FROM address_labels
  WHERE network IN {networks:Array(String)} AND address IN {addresses:Array(String)}
  UNION ALL
  SELECT subject AS address, 1 AS list FROM authority_listings
  WHERE network IN {networks:Array(String)} AND subject IN {addresses:Array(String)}
  UNION ALL
  SELECT subject AS address, 1 AS list FROM authority_hot
  WHERE network IN {networks:Array(String)} AND subject IN {addresses:Array(String)}
)
GROUP BY address
