-- Since when accounts act or hold more than dust, and whether they are contracts. Anybody can name an unused address in a transfer
-- of zero, or send it dust.
SELECT address,
  toUnixTimestamp(coalesce(least(coalesce(sent_first, paid_first), coalesce(paid_first, sent_first)), first_seen)) AS since, created > 0 AS contract
FROM {wallet_features_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
