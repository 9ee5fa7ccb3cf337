-- wallet_features without crumbs: who first funded an address, what came to it, and with how many parties it dealt are counted
-- from the dust bound of schema/networks.ts on, and tokens only where the giver signed: anyone can send dust, and a token
-- contract can name anyone. The first funder of before (`funding`) counted dust and goes. A test holds both SELECTs equal.

ALTER TABLE wallet_features ${on_cluster}
  ADD COLUMN IF NOT EXISTS funded SimpleAggregateFunction(min, Tuple(UInt64, String)) DEFAULT (18446744073709551615, '') COMMENT 'Position and sender of the first native coin received that was more than dust; the largest position and the empty string when none came',
  ADD COLUMN IF NOT EXISTS native_paid SimpleAggregateFunction(sum, UInt256) COMMENT 'Native coin received in movements of more than dust, internal calls included, base units',
  ADD COLUMN IF NOT EXISTS in_partners AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct parties who sent it native coin of more than dust, or signed for tokens they sent it',
  ADD COLUMN IF NOT EXISTS out_partners AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct parties it sent native coin of more than dust, or tokens it signed for';

INSERT INTO wallet_features (network, address, funded, in_partners, out_partners)
WITH
  transform(network,
  ['BNB', 'POLYGON', 'HAQQ', 'SOLANA', 'TRON', 'TON'],
  [500000000000000, 500000000000000000, 5000000000000000000, 1000000, 1000000, 50000000], 100000000000000) AS dust,
  kind IN ('native', 'internal') AS native
SELECT network, address,
  min(if(native AND direction = 1 AND amount >= dust AND counterparty != '' AND counterparty != address, (position, counterparty), (18446744073709551615, ''))),
  uniqCombined64IfState(12)(counterparty, counterparty != '' AND counterparty != address AND direction = 1
    AND (native AND amount >= dust OR kind = 'fungible' AND amount > 0 AND initiator = counterparty)),
  uniqCombined64IfState(12)(counterparty, counterparty != '' AND counterparty != address AND direction = -1
    AND (native AND amount >= dust OR kind = 'fungible' AND amount > 0 AND initiator = address))
FROM ledger
WHERE address != ''
GROUP BY network, address
SETTINGS max_bytes_before_external_group_by = 1000000000;

INSERT INTO wallet_features (network, address, funded, native_paid)
WITH
  transform(network,
  ['BNB', 'POLYGON', 'HAQQ', 'SOLANA', 'TRON', 'TON'],
  [500000000000000, 500000000000000000, 5000000000000000000, 1000000, 1000000, 50000000], 100000000000000) AS dust
SELECT network, address, (18446744073709551615, ''), sum(amount)
FROM ledger
WHERE address != '' AND kind IN ('native', 'internal') AND direction = 1 AND amount >= dust
  AND (SELECT count() FROM wallet_features WHERE native_paid > 0) = 0
GROUP BY network, address
SETTINGS max_bytes_before_external_group_by = 1000000000;

ALTER TABLE wallet_features_from_facts ${on_cluster} MODIFY QUERY
WITH
  transform(network,
  ['BNB', 'POLYGON', 'HAQQ', 'SOLANA', 'TRON', 'TON'],
  [500000000000000, 500000000000000000, 5000000000000000000, 1000000, 1000000, 50000000], 100000000000000) AS dust,
  fact = 'received' AND amount >= dust AS worth
SELECT network, address,
  min(toNullable(block_time)) AS first_seen,
  max(toNullable(block_time)) AS last_seen,
  groupBitmapIfState(toUInt32(toRelativeDayNum(block_time)), fact = 'sent') AS active_days,
  countIf(fact = 'sent') AS sent,
  countIf(fact = 'sent' AND failed) AS sent_failed,
  countIf(fact = 'sent' AND amount = 0) AS sent_zero,
  min(if(fact = 'sent', block_time, NULL)) AS sent_first,
  max(if(fact = 'sent', block_time, NULL)) AS sent_last,
  max(if(fact = 'sent', position, NULL)) AS sent_last_position,
  max(if(fact = 'sent', amount, NULL)) AS sent_max,
  sumIf(amount, fact = 'sent') AS sent_total,
  sumIf(fee, fact = 'sent') AS fees,
  uniqCombined64IfState(12)(counterparty, fact = 'sent') AS sent_to,
  countIf(fact = 'received') AS received,
  uniqCombined64IfState(12)(counterparty, fact = 'received') AS received_from,
  countIf(worth) AS paid,
  min(if(worth, block_time, NULL)) AS paid_first,
  max(if(worth, block_time, NULL)) AS paid_last,
  max(if(worth, amount, NULL)) AS paid_max,
  sumIf(amount, worth) AS paid_total,
  uniqCombined64IfState(12)(counterparty, worth) AS payers,
  countIf(fact = 'in') AS native_in_count,
  countIf(fact = 'out') AS native_out_count,
  sumIf(amount, fact = 'in') AS native_in,
  sumIf(amount, fact = 'out') AS native_out,
  uniqCombined64IfState(12)(counterparty, fact IN ('in', 'token_in') AND counterparty != '' AND counterparty != address) AS in_counterparties,
  uniqCombined64IfState(12)(counterparty, fact IN ('out', 'token_out') AND counterparty != '' AND counterparty != address) AS out_counterparties,
  min(if(fact = 'in' AND amount >= dust AND counterparty != '' AND counterparty != address, (position, counterparty), (18446744073709551615, ''))) AS funded,
  sumIf(amount, fact = 'in' AND amount >= dust) AS native_paid,
  uniqCombined64IfState(12)(counterparty, counterparty != '' AND counterparty != address
    AND (fact = 'in' AND amount >= dust OR fact = 'token_in' AND amount > 0 AND NOT own AND NOT assumeNotNull(pulled))) AS in_partners,
  uniqCombined64IfState(12)(counterparty, counterparty != '' AND counterparty != address
    AND (fact = 'out' AND amount >= dust OR fact = 'token_out' AND amount > 0 AND own)) AS out_partners,
  countIf(fact = 'token_in') AS token_in_count,
  countIf(fact = 'token_out') AS token_out_count,
  countIf(fact = 'token_out' AND own) AS token_out_own,
  countIf(fact IN ('token_in', 'token_out') AND amount = 0) AS token_zero,
  countIf(fact = 'nft_in') AS nft_in_count,
  countIf(fact = 'nft_out') AS nft_out_count,
  countIf(fact = 'approve') AS approvals_given,
  countIf(fact = 'revoke') AS approvals_revoked,
  countIf(fact = 'approved') AS approvals_received,
  uniqCombined64IfState(12)(counterparty, fact = 'approved' AND counterparty != address) AS approvers,
  countIf(fact = 'create') AS contracts_created,
  countIf(fact = 'created') AS created,
  countIf(fact = 'lp_add') AS lp_adds,
  countIf(fact = 'lp_remove') AS lp_removes,
  countIf(fact = 'mixer') AS mixer_events,
  countIf(fact = 'mixer_deposit') AS mixer_deposits,
  countIf(fact = 'mixer_withdraw') AS mixer_withdrawals,
  countIf(fact = 'mixer_withdraw' AND own) AS mixer_withdrawals_own,
  countIf(fact = 'delegate') AS delegations,
  countIf(fact = 'delegated') AS delegators,
  countIf(fact = 'message') AS messages,
  countIf(fact IN ('in', 'token_in', 'nft_in') AND pulled AND (amount > 0 OR fact = 'nft_in')) AS pulled_in,
  countIf(fact = 'token_out' AND amount <= if(network = 'BNB', toUInt256('10000000000000000000'), toUInt256(10000000))) AS token_dust_out,
  countIf(fact = 'carry') AS carried
FROM wallet_facts
GROUP BY network, address;

CREATE OR REPLACE VIEW wallet_features_hot ${on_cluster} AS
WITH
  transform(network,
  ['BNB', 'POLYGON', 'HAQQ', 'SOLANA', 'TRON', 'TON'],
  [500000000000000, 500000000000000000, 5000000000000000000, 1000000, 1000000, 50000000], 100000000000000) AS dust,
  fact = 'received' AND amount >= dust AS worth
SELECT network, address,
  min(toNullable(block_time)) AS first_seen,
  max(toNullable(block_time)) AS last_seen,
  groupBitmapIfState(toUInt32(toRelativeDayNum(block_time)), fact = 'sent') AS active_days,
  countIf(fact = 'sent') AS sent,
  countIf(fact = 'sent' AND failed) AS sent_failed,
  countIf(fact = 'sent' AND amount = 0) AS sent_zero,
  min(if(fact = 'sent', block_time, NULL)) AS sent_first,
  max(if(fact = 'sent', block_time, NULL)) AS sent_last,
  max(if(fact = 'sent', position, NULL)) AS sent_last_position,
  max(if(fact = 'sent', amount, NULL)) AS sent_max,
  sumIf(amount, fact = 'sent') AS sent_total,
  sumIf(fee, fact = 'sent') AS fees,
  uniqCombined64IfState(12)(counterparty, fact = 'sent') AS sent_to,
  countIf(fact = 'received') AS received,
  uniqCombined64IfState(12)(counterparty, fact = 'received') AS received_from,
  countIf(worth) AS paid,
  min(if(worth, block_time, NULL)) AS paid_first,
  max(if(worth, block_time, NULL)) AS paid_last,
  max(if(worth, amount, NULL)) AS paid_max,
  sumIf(amount, worth) AS paid_total,
  uniqCombined64IfState(12)(counterparty, worth) AS payers,
  countIf(fact = 'in') AS native_in_count,
  countIf(fact = 'out') AS native_out_count,
  sumIf(amount, fact = 'in') AS native_in,
  sumIf(amount, fact = 'out') AS native_out,
  uniqCombined64IfState(12)(counterparty, fact IN ('in', 'token_in') AND counterparty != '' AND counterparty != address) AS in_counterparties,
  uniqCombined64IfState(12)(counterparty, fact IN ('out', 'token_out') AND counterparty != '' AND counterparty != address) AS out_counterparties,
  min(if(fact = 'in' AND amount >= dust AND counterparty != '' AND counterparty != address, (position, counterparty), (18446744073709551615, ''))) AS funded,
  sumIf(amount, fact = 'in' AND amount >= dust) AS native_paid,
  uniqCombined64IfState(12)(counterparty, counterparty != '' AND counterparty != address
    AND (fact = 'in' AND amount >= dust OR fact = 'token_in' AND amount > 0 AND NOT own AND NOT assumeNotNull(pulled))) AS in_partners,
  uniqCombined64IfState(12)(counterparty, counterparty != '' AND counterparty != address
    AND (fact = 'out' AND amount >= dust OR fact = 'token_out' AND amount > 0 AND own)) AS out_partners,
  countIf(fact = 'token_in') AS token_in_count,
  countIf(fact = 'token_out') AS token_out_count,
  countIf(fact = 'token_out' AND own) AS token_out_own,
  countIf(fact IN ('token_in', 'token_out') AND amount = 0) AS token_zero,
  countIf(fact = 'nft_in') AS nft_in_count,
  countIf(fact = 'nft_out') AS nft_out_count,
  countIf(fact = 'approve') AS approvals_given,
  countIf(fact = 'revoke') AS approvals_revoked,
  countIf(fact = 'approved') AS approvals_received,
  uniqCombined64IfState(12)(counterparty, fact = 'approved' AND counterparty != address) AS approvers,
  countIf(fact = 'create') AS contracts_created,
  countIf(fact = 'created') AS created,
  countIf(fact = 'lp_add') AS lp_adds,
  countIf(fact = 'lp_remove') AS lp_removes,
  countIf(fact = 'mixer') AS mixer_events,
  countIf(fact = 'mixer_deposit') AS mixer_deposits,
  countIf(fact = 'mixer_withdraw') AS mixer_withdrawals,
  countIf(fact = 'mixer_withdraw' AND own) AS mixer_withdrawals_own,
  countIf(fact = 'delegate') AS delegations,
  countIf(fact = 'delegated') AS delegators,
  countIf(fact = 'message') AS messages,
  countIf(fact IN ('in', 'token_in', 'nft_in') AND pulled AND (amount > 0 OR fact = 'nft_in')) AS pulled_in,
  countIf(fact = 'token_out' AND amount <= if(network = 'BNB', toUInt256('10000000000000000000'), toUInt256(10000000))) AS token_dust_out,
  countIf(fact = 'carry') AS carried
FROM wallet_facts_hot
GROUP BY network, address
COMMENT 'States of hot rows above the watermark, in the shape of wallet_features';

CREATE OR REPLACE VIEW wallet_features_all ${on_cluster} AS
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
  max(s.sent_max) AS sent_max,
  sum(s.sent_total) AS sent_total,
  sum(s.fees) AS fees,
  uniqCombined64Merge(12)(s.sent_to) AS sent_to,
  sum(s.received) AS received,
  uniqCombined64Merge(12)(s.received_from) AS received_from,
  sum(s.paid) AS paid,
  min(s.paid_first) AS paid_first,
  max(s.paid_last) AS paid_last,
  max(s.paid_max) AS paid_max,
  sum(s.paid_total) AS paid_total,
  uniqCombined64Merge(12)(s.payers) AS payers,
  sum(s.native_in_count) AS native_in_count,
  sum(s.native_out_count) AS native_out_count,
  sum(s.native_in) AS native_in,
  sum(s.native_out) AS native_out,
  uniqCombined64Merge(12)(s.in_counterparties) AS in_counterparties,
  uniqCombined64Merge(12)(s.out_counterparties) AS out_counterparties,
  min(s.funded).2 AS funder,
  sum(s.native_paid) AS native_paid,
  uniqCombined64Merge(12)(s.in_partners) AS in_partners,
  uniqCombined64Merge(12)(s.out_partners) AS out_partners,
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
  sum(s.delegators) AS delegators,
  sum(s.messages) AS messages,
  sum(s.pulled_in) AS pulled_in,
  sum(s.token_dust_out) AS token_dust_out,
  sum(s.carried) AS carried
FROM (
  SELECT network, address, first_seen, last_seen, active_days, sent, sent_failed, sent_zero, sent_first, sent_last, sent_last_position, sent_max, sent_total, fees, sent_to, received, received_from, paid, paid_first, paid_last, paid_max, paid_total, payers, native_in_count, native_out_count, native_in, native_out, in_counterparties, out_counterparties, funded, native_paid, in_partners, out_partners, token_in_count, token_out_count, token_out_own, token_zero, nft_in_count, nft_out_count, approvals_given, approvals_revoked, approvals_received, approvers, contracts_created, created, lp_adds, lp_removes, mixer_events, mixer_deposits, mixer_withdrawals, mixer_withdrawals_own, delegations, delegators, messages, pulled_in, token_dust_out, carried
  FROM wallet_features
  UNION ALL
  SELECT network, address, first_seen, last_seen, active_days, sent, sent_failed, sent_zero, sent_first, sent_last, sent_last_position, sent_max, sent_total, fees, sent_to, received, received_from, paid, paid_first, paid_last, paid_max, paid_total, payers, native_in_count, native_out_count, native_in, native_out, in_counterparties, out_counterparties, funded, native_paid, in_partners, out_partners, token_in_count, token_out_count, token_out_own, token_zero, nft_in_count, nft_out_count, approvals_given, approvals_revoked, approvals_received, approvers, contracts_created, created, lp_adds, lp_removes, mixer_events, mixer_deposits, mixer_withdrawals, mixer_withdrawals_own, delegations, delegators, messages, pulled_in, token_dust_out, carried
  FROM wallet_features_hot
) AS s
GROUP BY s.network, s.address
COMMENT 'Features of each address as of the newest block. Filter by network and address: without it every wallet is merged';

CREATE OR REPLACE VIEW wallet_features_final ${on_cluster} AS
SELECT s.network AS network, s.address AS address,
  s.first_seen AS first_seen,
  s.last_seen AS last_seen,
  finalizeAggregation(s.active_days) AS active_days,
  s.sent AS sent,
  s.sent_failed AS sent_failed,
  s.sent_zero AS sent_zero,
  s.sent_first AS sent_first,
  s.sent_last AS sent_last,
  s.sent_last_position AS sent_last_position,
  s.sent_max AS sent_max,
  s.sent_total AS sent_total,
  s.fees AS fees,
  finalizeAggregation(s.sent_to) AS sent_to,
  s.received AS received,
  finalizeAggregation(s.received_from) AS received_from,
  s.paid AS paid,
  s.paid_first AS paid_first,
  s.paid_last AS paid_last,
  s.paid_max AS paid_max,
  s.paid_total AS paid_total,
  finalizeAggregation(s.payers) AS payers,
  s.native_in_count AS native_in_count,
  s.native_out_count AS native_out_count,
  s.native_in AS native_in,
  s.native_out AS native_out,
  finalizeAggregation(s.in_counterparties) AS in_counterparties,
  finalizeAggregation(s.out_counterparties) AS out_counterparties,
  s.funded.2 AS funder,
  s.native_paid AS native_paid,
  finalizeAggregation(s.in_partners) AS in_partners,
  finalizeAggregation(s.out_partners) AS out_partners,
  s.token_in_count AS token_in_count,
  s.token_out_count AS token_out_count,
  s.token_out_own AS token_out_own,
  s.token_zero AS token_zero,
  s.nft_in_count AS nft_in_count,
  s.nft_out_count AS nft_out_count,
  s.approvals_given AS approvals_given,
  s.approvals_revoked AS approvals_revoked,
  s.approvals_received AS approvals_received,
  finalizeAggregation(s.approvers) AS approvers,
  s.contracts_created AS contracts_created,
  s.created AS created,
  s.lp_adds AS lp_adds,
  s.lp_removes AS lp_removes,
  s.mixer_events AS mixer_events,
  s.mixer_deposits AS mixer_deposits,
  s.mixer_withdrawals AS mixer_withdrawals,
  s.mixer_withdrawals_own AS mixer_withdrawals_own,
  s.delegations AS delegations,
  s.delegators AS delegators,
  s.messages AS messages,
  s.pulled_in AS pulled_in,
  s.token_dust_out AS token_dust_out,
  s.carried AS carried
FROM wallet_features AS s FINAL
COMMENT 'Features of each address as of the newest final block, merged by FINAL: half as dear to plan and to read as wallet_features_all, for addresses without hot rows';

ALTER TABLE wallet_features ${on_cluster} DROP COLUMN IF EXISTS funding;
