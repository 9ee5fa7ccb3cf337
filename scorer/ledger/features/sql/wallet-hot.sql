-- What hot rows alone say of the wallets, but for what has to be told apart from final rows: wallet-distinct.sql.
SELECT * EXCEPT (
    network, funded, active_days, sent_to, received_from, payers, in_counterparties, out_counterparties, in_partners,
    out_partners, approvers)
  REPLACE (
    toUnixTimestamp(first_seen) AS first_seen, toUnixTimestamp(last_seen) AS last_seen,
    toUnixTimestamp(sent_first) AS sent_first, toUnixTimestamp(sent_last) AS sent_last,
    toUnixTimestamp(paid_first) AS paid_first, toUnixTimestamp(paid_last) AS paid_last)
FROM wallet_features_hot
WHERE network = {network:String} AND address IN {addresses:Array(String)}
