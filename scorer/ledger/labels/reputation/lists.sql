-- Lists of registered authorities that contain the addresses now.
SELECT DISTINCT subject AS address, list
FROM {authority_listings_table:Identifier}
WHERE network = {network:String} AND subject IN {addresses:Array(String)} AND listed = 1
  AND authority IN {authorities:Array(String)}
