-- wallet_features_all: merged features of each address, final and hot. Filter by network and address.

CREATE VIEW wallet_features_all ${on_cluster} AS
SELECT s.network AS network, s.address AS address,
  min(s.first_seen) AS first_seen,
  max(s.last_seen) AS last_seen,
  groupBitmapMerge(s.active_days) AS active_days,
  sum(s.sent) AS sent,
  sum(s.sent_failed) AS sent_failed,
  sum(s.sent_zero) AS sent_zero,
  min(s.sent_first) AS sent_first,
  max(s.sent_last) AS sent_last,
  max(s.sent_last_position) AS sent_last_position,
  min(s.sent_min) AS sent_min,
  max(s.sent_max) AS sent_max,
  sum(s.sent_total) AS sent_total,
  sum(s.fees) AS fees,
  uniqCombined64Merge(12)(s.sent_to) AS sent_to,
  sum(s.received) AS received,
  min(s.received_first) AS received_first,
  max(s.received_last) AS received_last,
  min(s.received_min) AS received_min,
  max(s.received_max) AS received_max,
  sum(s.received_total) AS received_total,
  uniqCombined64Merge(12)(s.received_from) AS received_from,
  sum(s.native_in_count) AS native_in_count,
  sum(s.native_out_count) AS native_out_count,
  sum(s.native_in) AS native_in,
  sum(s.native_out) AS native_out,
  uniqCombined64Merge(12)(s.in_counterparties) AS in_counterparties,
  uniqCombined64Merge(12)(s.out_counterparties) AS out_counterparties,
  min(s.funding).2 AS funder,
  sum(s.token_in_count) AS token_in_count,
  sum(s.token_out_count) AS token_out_count,
  sum(s.token_out_own) AS token_out_own,
  sum(s.token_zero) AS token_zero,
  sum(s.nft_in_count) AS nft_in_count,
  sum(s.nft_out_count) AS nft_out_count,
  sum(s.approvals_given) AS approvals_given,
  sum(s.approvals_revoked) AS approvals_revoked,
  sum(s.approvals_received) AS approvals_received,
  uniqCombined64Merge(12)(s.approvers) AS approvers,
  sum(s.contracts_created) AS contracts_created,
  sum(s.created) AS created,
  sum(s.lp_adds) AS lp_adds,
  sum(s.lp_removes) AS lp_removes,
  sum(s.mixer_events) AS mixer_events,
  sum(s.mixer_deposits) AS mixer_deposits,
  sum(s.mixer_withdrawals) AS mixer_withdrawals,
  sum(s.mixer_withdrawals_own) AS mixer_withdrawals_own,
  sum(s.delegations) AS delegations,
  sum(s.delegators) AS delegators
FROM (
  SELECT network, address, first_seen, last_seen, active_days, sent, sent_failed, sent_zero, sent_first, sent_last, sent_last_position, sent_min, sent_max, sent_total, fees, sent_to, received, received_first, received_last, received_min, received_max, received_total, received_from, native_in_count, native_out_count, native_in, native_out, in_counterparties, out_counterparties, funding, token_in_count, token_out_count, token_out_own, token_zero, nft_in_count, nft_out_count, approvals_given, approvals_revoked, approvals_received, approvers, contracts_created, created, lp_adds, lp_removes, mixer_events, mixer_deposits, mixer_withdrawals, mixer_withdrawals_own, delegations, delegators
  FROM wallet_features
  UNION ALL
  SELECT network, address, first_seen, last_seen, active_days, sent, sent_failed, sent_zero, sent_first, sent_last, sent_last_position, sent_min, sent_max, sent_total, fees, sent_to, received, received_first, received_last, received_min, received_max, received_total, received_from, native_in_count, native_out_count, native_in, native_out, in_counterparties, out_counterparties, funding, token_in_count, token_out_count, token_out_own, token_zero, nft_in_count, nft_out_count, approvals_given, approvals_revoked, approvals_received, approvers, contracts_created, created, lp_adds, lp_removes, mixer_events, mixer_deposits, mixer_withdrawals, mixer_withdrawals_own, delegations, delegators
  FROM wallet_features_hot
) AS s
GROUP BY s.network, s.address
COMMENT 'Features of each address as of the newest block. Filter by network and address: without it every wallet is merged';
