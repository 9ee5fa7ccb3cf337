-- Features of wallets that require merging both tiers: distinct counts and the first funder.
SELECT address, funder, active_days, sent_to, received_from, payers, in_counterparties, out_counterparties, in_partners,
  out_partners, approvers
FROM wallet_features_all
WHERE network = {network:String} AND address IN {addresses:Array(String)}
