-- What authorities last said about the addresses, on every network that shares their keys.
SELECT
  network, subject AS address, list, authority, latest.listed AS listed,
  toUnixTimestamp(latest.time) AS said_at, latest.tx_hash AS said_in,
  toUnixTimestamp(latest_add.time) AS listed_at, latest_add.tx_hash AS listed_in, toUInt32(seized) AS seized
FROM authority_listings_all
WHERE network IN {networks:Array(String)} AND subject IN {addresses:Array(String)}
ORDER BY network, subject, list, authority
