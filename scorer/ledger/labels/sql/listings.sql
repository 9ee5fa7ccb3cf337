-- Newest listing events of registered authorities about the addresses, on every network that shares their keys.
SELECT
  network, subject AS address, list, authority, l.listed AS listed,
  toUnixTimestamp(l.changed_at) AS changed_at, l.changed_in AS changed_in,
  toUnixTimestamp(l.listed_at) AS listed_at, l.listed_in AS listed_in, toUInt32(l.seized) AS seized
FROM {authority_listings_table:Identifier} AS l
WHERE network IN {networks:Array(String)} AND subject IN {addresses:Array(String)}
  AND concat(network, ' ', authority) IN {authorities:Array(String)}
ORDER BY network, subject, list, authority
