-- Since when accounts act, or hold coins of worth: anybody can name an address in a transfer of nothing, or send it dust, long before it is
-- used. And whether they are contracts.
SELECT address,
  toUnixTimestamp(coalesce(least(coalesce(sent_first, paid_first), coalesce(paid_first, sent_first)), first_seen)) AS since, created > 0 AS contract
FROM {wallet_features_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
