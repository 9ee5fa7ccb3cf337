-- What authorities last said about the addresses, on every network that shares their keys.
SELECT
  network, subject AS address, list, authority, l.listed AS listed,
  toUnixTimestamp(l.said_at) AS said_at, l.said_in AS said_in,
  toUnixTimestamp(l.listed_at) AS listed_at, l.listed_in AS listed_in, toUInt32(l.seized) AS seized
FROM {authority_listings_table:Identifier} AS l
WHERE network IN {networks:Array(String)} AND subject IN {addresses:Array(String)}
ORDER BY network, subject, list, authority
