-- Merged features of the wallets, from wallet_features_all or wallet_features_final. What becomes a number does so in
-- wallet.ts: functions around fifty columns cost more to plan than the rows to read.
SELECT
  address,
  toUnixTimestamp(first_seen) AS first_seen, toUnixTimestamp(last_seen) AS last_seen, active_days,
  sent, sent_failed, sent_zero,
  toUnixTimestamp(sent_first) AS sent_first, toUnixTimestamp(sent_last) AS sent_last,
  sent_max, sent_total,
  fees, sent_to,
  received, received_from,
  paid, toUnixTimestamp(paid_first) AS paid_first, toUnixTimestamp(paid_last) AS paid_last,
  paid_max, paid_total, payers,
  native_in_count, native_out_count,
  native_in, native_out,
  in_counterparties, out_counterparties, funder,
  token_in_count, token_out_count,
  token_out_own, token_zero,
  nft_in_count, nft_out_count,
  approvals_given, approvals_revoked,
  approvals_received, approvers,
  contracts_created, created,
  lp_adds, lp_removes,
  mixer_events, mixer_deposits,
  mixer_withdrawals, mixer_withdrawals_own,
  sent_last_position, delegations, delegators, messages,
  pulled_in, token_dust_out, carried
FROM {view:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)}
