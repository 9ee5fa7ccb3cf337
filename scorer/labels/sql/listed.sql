-- Which of the addresses a list may speak of, in either tier: few do, and what it says costs much more to ask.
SELECT DISTINCT subject AS address
FROM (
  SELECT subject FROM authority_listings
  WHERE network IN {networks:Array(String)} AND subject IN {addresses:Array(String)}
  UNION ALL
  SELECT subject FROM authority_hot
  WHERE network IN {networks:Array(String)} AND subject IN {addresses:Array(String)}
)
