-- Holders of a token from its transfers: their number and total, the largest (top) and a sample of others (some), as
-- address and balance. A negative balance means that transfers are missing.
SELECT toString(sum(balance)) AS held, toUInt32(countIf(balance > 0)) AS holders, toUInt32(countIf(balance < 0)) AS overdrawn,
  arrayMap(one -> (one.2, toString(-one.1)), groupArraySorted({top:UInt32})((-balance, address))) AS top,
  arrayMap(one -> (one.2, toString(one.3)), groupArraySorted({sample:UInt32})((cityHash64(address, {seed:String}), address, balance))) AS some
FROM (
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
