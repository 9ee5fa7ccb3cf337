-- Features of wallets without hot rows, directly from the states: half as expensive to plan as a view.
SELECT * EXCEPT (network, funded) REPLACE (
    toUnixTimestamp(first_seen) AS first_seen, toUnixTimestamp(last_seen) AS last_seen,
    toUnixTimestamp(sent_first) AS sent_first, toUnixTimestamp(sent_last) AS sent_last,
    toUnixTimestamp(paid_first) AS paid_first, toUnixTimestamp(paid_last) AS paid_last,
    finalizeAggregation(active_days) AS active_days, finalizeAggregation(sent_to) AS sent_to,
    finalizeAggregation(received_from) AS received_from, finalizeAggregation(payers) AS payers,
    finalizeAggregation(in_counterparties) AS in_counterparties, finalizeAggregation(out_counterparties) AS out_counterparties,
    finalizeAggregation(in_partners) AS in_partners, finalizeAggregation(out_partners) AS out_partners,
    finalizeAggregation(approvers) AS approvers),
  funded.2 AS funder
FROM wallet_features FINAL
WHERE network = {network:String} AND address IN {addresses:Array(String)}
