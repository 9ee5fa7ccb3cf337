-- Merged features of the wallets, from wallet_features_all or wallet_features_final. Amounts become floats here and only here: they are features.
SELECT
  address,
  toUnixTimestamp(first_seen) AS first_seen, toUnixTimestamp(last_seen) AS last_seen, active_days,
  toFloat64(sent) AS sent, toFloat64(sent_failed) AS sent_failed, toFloat64(sent_zero) AS sent_zero,
  toUnixTimestamp(sent_first) AS sent_first, toUnixTimestamp(sent_last) AS sent_last,
  toFloat64(sent_max) AS sent_max, toFloat64(sent_total) AS sent_total,
  toFloat64(fees) AS fees, toFloat64(sent_to) AS sent_to,
  toFloat64(received) AS received, toFloat64(received_from) AS received_from,
  toFloat64(paid) AS paid, toUnixTimestamp(paid_first) AS paid_first, toUnixTimestamp(paid_last) AS paid_last,
  toFloat64(paid_max) AS paid_max, toFloat64(paid_total) AS paid_total, toFloat64(payers) AS payers,
  toFloat64(native_in_count) AS native_in_count, toFloat64(native_out_count) AS native_out_count,
  toFloat64(native_in) AS native_in, toFloat64(native_out) AS native_out,
  toFloat64(in_counterparties) AS in_counterparties, toFloat64(out_counterparties) AS out_counterparties, funder,
  toFloat64(token_in_count) AS token_in_count, toFloat64(token_out_count) AS token_out_count,
  toFloat64(token_out_own) AS token_out_own, toFloat64(token_zero) AS token_zero,
  toFloat64(nft_in_count) AS nft_in_count, toFloat64(nft_out_count) AS nft_out_count,
  toFloat64(approvals_given) AS approvals_given, toFloat64(approvals_revoked) AS approvals_revoked,
  toFloat64(approvals_received) AS approvals_received, toFloat64(approvers) AS approvers,
  toFloat64(contracts_created) AS contracts_created, toFloat64(created) AS created,
  toFloat64(lp_adds) AS lp_adds, toFloat64(lp_removes) AS lp_removes,
  toFloat64(mixer_events) AS mixer_events, toFloat64(mixer_deposits) AS mixer_deposits,
  toFloat64(mixer_withdrawals) AS mixer_withdrawals, toFloat64(mixer_withdrawals_own) AS mixer_withdrawals_own,
  sent_last_position, toFloat64(delegations) AS delegations, toFloat64(delegators) AS delegators, toFloat64(messages) AS messages,
  toFloat64(pulled_in) AS pulled_in, toFloat64(token_dust_out) AS token_dust_out, toFloat64(carried) AS carried
FROM {view:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
