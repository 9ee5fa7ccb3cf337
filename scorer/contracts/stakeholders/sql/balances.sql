-- Holders of a token by its transfers: how many and how much together (kind all), those who hold most (top), and some others (some).
-- Nobody holds less than nothing unless transfers are missing.
WITH balances AS (
  SELECT address, toInt256(sum(received)) - toInt256(sum(sent)) AS balance
  FROM (
    SELECT address, amount_in AS received, amount_out AS sent FROM asset_holders
    WHERE network = {network:String} AND asset = {asset:String}
    UNION ALL
    SELECT address, amount_in AS received, amount_out AS sent FROM wallet_assets_hot
    WHERE network = {network:String} AND asset = {asset:String}
  )
  WHERE address != {nobody:String}
  GROUP BY address
  HAVING balance != 0
)
SELECT 'all' AS kind, '' AS address, toString(sum(balance)) AS held,
  toUInt32(countIf(balance > 0)) AS holders, toUInt32(countIf(balance < 0)) AS overdrawn
FROM balances
UNION ALL
SELECT 'top', address, toString(balance), 0, 0
FROM (SELECT address, balance FROM balances ORDER BY balance DESC, address LIMIT {top:UInt32})
UNION ALL
SELECT 'some', address, toString(balance), 0, 0
FROM (SELECT address, balance FROM balances ORDER BY cityHash64(address, {seed:String}) LIMIT {sample:UInt32})
