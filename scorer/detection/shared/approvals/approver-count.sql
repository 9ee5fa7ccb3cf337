-- Number of owners with a sure approval of a spender (`sure` as in grants.sql), counted up to `most`.
SELECT toUInt32(count()) AS owners
FROM (
  SELECT DISTINCT owner
  FROM {approvals_table:Identifier} AS a
  WHERE network = {network:String} AND spender = {spender:String} AND NOT (a.amount = 0 AND kind != 'nft')
    AND (initiator = owner OR kind = 'permit2' OR asset IN {canonical:Array(String)})
  LIMIT {most:UInt32}
)
