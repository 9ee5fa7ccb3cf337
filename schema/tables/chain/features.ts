/**
 * wallet_features: all counts and sums about one address, merged from its facts.
 *
 * Anyone can send dust, and a token contract can name anyone. So first funder, payments and partners only count from the network's
 * dust bound on, and tokens only if the giving party signed.
 */

import { network, text } from '../column.ts'
import { NATIVE_DUST, TOKEN_DUST } from '../networks.ts'
import {
  type Aggregate,
  count,
  days,
  distinct,
  earliest,
  largest,
  latest,
  least,
  type State,
  total,
} from './aggregate.ts'
import { FACT_SOURCES } from './facts.ts'

/** A feature: its state, and the expression that counts one fact. */
type Feature = [state: State, expression: string]

const counted = (comment: string, condition: string): Feature => [count(comment), `countIf(${condition})`]
const summed = (comment: string, condition: string, of = 'amount'): Feature => [
  total(comment),
  `sumIf(${of}, ${condition})`,
]
const first = (comment: string, condition: string): Feature => [
  earliest(comment),
  `min(if(${condition}, block_time, NULL))`,
]
const last = (comment: string, condition: string): Feature => [
  latest(comment),
  `max(if(${condition}, block_time, NULL))`,
]
const most = (comment: string, condition: string, of: string, type: string): Feature => [
  largest(`Nullable(${type})`, comment),
  `max(if(${condition}, ${of}, NULL))`,
]
const different = (comment: string, condition: string): Feature => [
  distinct(comment),
  `uniqCombined64IfState(12)(counterparty, ${condition})`,
]

const ANOTHER = "counterparty != '' AND counterparty != address"
const NO_POSITION = "(18446744073709551615, '')"

const FEATURES: Readonly<Record<string, Feature>> = {
  first_seen: [earliest('Time of the first row about the address'), 'min(toNullable(block_time))'],
  last_seen: [latest('Time of the last row about the address'), 'max(toNullable(block_time))'],
  active_days: [
    days('Days (UTC) with a transaction of its own'),
    "groupBitmapIfState(toUInt32(toRelativeDayNum(block_time)), fact = 'sent')",
  ],
  sent: counted('Transactions signed', "fact = 'sent'"),
  sent_failed: counted('Transactions signed that failed', "fact = 'sent' AND failed"),
  sent_zero: counted('Transactions signed that carried no native coin', "fact = 'sent' AND amount = 0"),
  sent_first: first('Time of the first transaction signed', "fact = 'sent'"),
  sent_last: last('Time of the last transaction signed', "fact = 'sent'"),
  sent_last_position: most('Position of the last transaction signed', "fact = 'sent'", 'position', 'UInt64'),
  sent_max: most('Largest value of a transaction signed, base units', "fact = 'sent'", 'amount', 'UInt256'),
  sent_total: summed('Value of all transactions signed, base units', "fact = 'sent'"),
  fees: summed('Fees paid, base units of the native coin', "fact = 'sent'", 'fee'),
  sent_to: different(
    'Distinct receivers of its transactions; all that create a contract count as one',
    "fact = 'sent'",
  ),
  received: counted('Transactions that name it as receiver', "fact = 'received'"),
  received_from: different('Distinct senders of transactions to it', "fact = 'received'"),
  paid: counted('Transactions to it that carried native coin of at least native_dust (table networks)', 'above_dust'),
  paid_first: first('Time of the first of those', 'above_dust'),
  paid_last: last('Time of the last of those', 'above_dust'),
  paid_max: most('Largest value of those, base units', 'above_dust', 'amount', 'UInt256'),
  paid_total: summed('Value of all of those, base units', 'above_dust'),
  payers: different('Distinct senders of those', 'above_dust'),
  native_in_count: counted('Native movements to it, internal calls included', "fact = 'in'"),
  native_out_count: counted('Native movements from it, internal calls included', "fact = 'out'"),
  native_in: summed('Native coin received, internal calls included, base units', "fact = 'in'"),
  native_out: summed('Native coin sent, internal calls included, base units', "fact = 'out'"),
  in_counterparties: different('Distinct parties value came from', `fact IN ('in', 'token_in') AND ${ANOTHER}`),
  out_counterparties: different('Distinct parties value went to', `fact IN ('out', 'token_out') AND ${ANOTHER}`),
  funded: [
    {
      ...least(
        'Tuple(UInt64, String)',
        'Position and sender of the first native coin received that was more than dust; the largest position and the empty string when none came',
      ),
      default: NO_POSITION,
      parts: {
        funder: {
          index: 2,
          type: 'String',
          comment: 'Sender of the first native coin received that was more than dust; empty when none came',
        },
      },
    },
    `min(if(fact = 'in' AND amount >= dust AND ${ANOTHER}, (position, counterparty), ${NO_POSITION}))`,
  ],
  native_paid: summed(
    'Native coin received in movements of more than dust, internal calls included, base units',
    "fact = 'in' AND amount >= dust",
  ),
  in_partners: different(
    'Distinct parties that sent it native coin of more than dust, or signed for tokens they sent it',
    `${ANOTHER}
    AND (fact = 'in' AND amount >= dust OR fact = 'token_in' AND amount > 0 AND NOT own AND NOT assumeNotNull(pulled))`,
  ),
  out_partners: different(
    'Distinct parties it sent native coin of more than dust, or tokens it signed for',
    `${ANOTHER}
    AND (fact = 'out' AND amount >= dust OR fact = 'token_out' AND amount > 0 AND own)`,
  ),
  token_in_count: counted('Fungible movements to it', "fact = 'token_in'"),
  token_out_count: counted('Fungible movements from it', "fact = 'token_out'"),
  token_out_own: counted('Fungible movements from it that it signed for', "fact = 'token_out' AND own"),
  token_zero: counted('Fungible movements of nothing', "fact IN ('token_in', 'token_out') AND amount = 0"),
  nft_in_count: counted('NFT movements to it', "fact = 'nft_in'"),
  nft_out_count: counted('NFT movements from it', "fact = 'nft_out'"),
  approvals_given: counted('Approvals it gave', "fact = 'approve'"),
  approvals_revoked: counted('Approvals it took back', "fact = 'revoke'"),
  approvals_received: counted('Approvals others gave to it', "fact = 'approved'"),
  approvers: different('Distinct owners who approved it', "fact = 'approved' AND counterparty != address"),
  contracts_created: counted('Contracts that go back to it', "fact = 'create'"),
  created: counted('Times a contract was created at this address; above 0 it is a contract', "fact = 'created'"),
  lp_adds: counted('Liquidity additions it signed', "fact = 'lp_add'"),
  lp_removes: counted('Liquidity removals it signed', "fact = 'lp_remove'"),
  mixer_events: counted('Deposits and withdrawals it emitted: above 0 it is a mixer pool', "fact = 'mixer'"),
  mixer_deposits: counted('Mixer deposits it made', "fact = 'mixer_deposit'"),
  mixer_withdrawals: counted('Mixer withdrawals it was paid', "fact = 'mixer_withdraw'"),
  mixer_withdrawals_own: counted('Those it signed itself', "fact = 'mixer_withdraw' AND own"),
  delegations: counted('EIP-7702 authorizations it gave', "fact = 'delegate'"),
  delegators: counted('EIP-7702 authorizations that name it as code', "fact = 'delegated'"),
  messages: counted('Transactions signed whose calldata is text, inscriptions left out', "fact = 'message'"),
  pulled_in: counted(
    'Movements of something to it that neither party signed',
    "fact IN ('in', 'token_in', 'nft_in') AND pulled AND (amount > 0 OR fact = 'nft_in')",
  ),
  token_dust_out: counted(
    'Fungible movements from it of at most token_dust (table networks) base units',
    "fact = 'token_out' AND amount <= token_dust",
  ),
  third_party_dust: counted(
    'Movements of nothing or of dust between two others that it signed',
    "fact = 'third_party_dust'",
  ),
}

const each = <T>(pick: (feature: Feature) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(FEATURES).map(([name, feature]) => [name, pick(feature)]))

/** Aggregation states of each address. */
export const walletFeatures: Aggregate = {
  name: 'wallet_features',
  comment:
    'Aggregation states of each address over final rows. Merge with min, max, sum, groupBitmapMerge and uniqCombined64Merge(12), grouped by network and address; wallet_features_all does',
  shows: 'Features of each address',
  keys: { network, address: text('Canonical address') },
  states: each(([state]) => state),
  sources: [
    {
      from: 'wallet_facts',
      inserts: FACT_SOURCES,
      hot: 'wallet_facts_hot',
      fetched: 'facts_past',
      with: [
        `${NATIVE_DUST} AS dust`,
        `${TOKEN_DUST} AS token_dust`,
        "fact = 'received' AND amount >= dust AS above_dust",
      ],
      states: each(([, expression]) => expression),
    },
  ],
  settings: { index_granularity: 128, min_bytes_for_wide_part: 1_073_741_824 },
  mergedByFinal: true,
}
