/** Served records, their history, how often they were served, and ranks. */

import { TOKENS_REMEMBERED } from './chain/tiers.ts'
import { column, float64, network, text, time, uint8, uint32, uint64, word } from './column.ts'
import type { SchemaObject } from './ddl.ts'

const ZSTD3 = { codec: 'ZSTD(3)' }
const DELTA = { codec: 'Delta, ZSTD(1)' }
/** Tables read row by row keep parts in one file up to this size, so that a read opens one file. */
const COMPACT = { min_bytes_for_wide_part: 1_073_741_824 }

const address = text('Canonical address')
const status = word('Fraud, Not Fraud or New Address')
const probability = float64('Probability of fraud, 0 to 1')
const model_version = word('Model that gave the probability')
const data_height = uint32('Height of the data the record was computed from')

/** Tables and views of wallet records, their history, counts and ranks. */
export const recordObjects: SchemaObject[] = [
  {
    kind: 'table',
    name: 'wallet_records',
    comment: 'Newest fraud record of each wallet. Look up with ORDER BY version DESC LIMIT 1 BY network, address',
    columns: {
      network,
      address,
      version: uint64(
        'Grows with every computation: milliseconds since the epoch, at least one more than the version before',
      ),
      status,
      probability,
      body: text(
        'JSON of the fraud record without walletAddress, checked_times and updatedAt: the bytes that are served. Empty when every block that named the wallet was undone',
        ZSTD3,
      ),
      reasons: text('JSON array of what the verdict rests on: code, title, contribution, evidence', ZSTD3),
      unknowns: column<string[]>(
        'Array(LowCardinality(String))',
        'What could not be evaluated; the record shows 0 for it',
      ),
      model_version,
      data_height,
      offence: word(
        "Category that flags resting on the wallet's own acts or on lists give its money: sanctioned, stolen, scam and so on; empty for none. Those who receive it are judged by it",
      ),
      offence_hops: uint8(
        'Transfers between the wallet and the nearest wallet of an offence that its money came from; 0 where none was found within three, where less than 1 % of its money did, and for services',
      ),
      created_at: time('First computed'),
      computed_at: time('Last computed'),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['network', 'address'],
    window: 1_000,
    settings: { index_granularity: 128, ...COMPACT },
  },
  {
    kind: 'table',
    name: 'record_history',
    comment: 'What records were: one row whenever status, flags or the rounded probability changed',
    columns: {
      network,
      address,
      version: uint64('Version of the record'),
      status,
      probability,
      reasons: text('JSON array of what the verdict rested on', ZSTD3),
      model_version,
      data_height: { ...data_height, ...DELTA },
      computed_at: time('When it was computed', DELTA),
    },
    engine: 'MergeTree',
    orderBy: ['network', 'address', 'version'],
    window: 1_000,
  },
  {
    kind: 'table',
    name: 'serve_counts',
    comment: 'How often each address was analysed for callers, shared by the operations',
    columns: {
      kind: word('wallet (fraud check and audit share one counter) or contract'),
      network,
      address,
      count: column('SimpleAggregateFunction(sum, UInt64)', 'Requests served about the address'),
      last_served: column<number>("SimpleAggregateFunction(max, DateTime('UTC'))", 'When the last one was served'),
    },
    engine: 'AggregatingMergeTree',
    orderBy: ['kind', 'network', 'address'],
    window: TOKENS_REMEMBERED,
    settings: { index_granularity: 256 },
  },
  {
    kind: 'table',
    name: 'profile_records',
    comment:
      'Newest profile of each wallet that was asked about. Look up with ORDER BY version DESC LIMIT 1 BY network, address',
    columns: {
      network,
      address,
      version: uint64('Version of the fraud record the profile rests on; a newer fraud record makes the profile stale'),
      audit: text(
        'JSON of the behaviour record without walletAddress, checked_times and updatedAt: the bytes that are served',
        ZSTD3,
      ),
      segment: text('JSON of the segment record without walletAddress', ZSTD3),
      credit: text(
        'JSON of the credit record inside creditData without walletAddress; empty where the network has no such operation',
        {
          codec: 'ZSTD(1)',
        },
      ),
      segment_letter: word('A, B or C by quality; not part of an answer'),
      quality: uint8('Wallet quality, 0 to 100'),
      rating: uint8('Credit rating, 1 to 9; 0 where the network has no such operation'),
      experience: uint8('Experience, 0 to 10'),
      risk_capability: uint8('Risk capability, 1 to 9'),
      transaction_count: uint64('Transactions in and out'),
      age_days: uint32('Days since the first row about the wallet'),
      balance_usd: float64('Balance of priced assets, US dollars'),
      probability,
      unknowns: column<string[]>('Array(String)', 'What could not be known, as what: why'),
      reasons: text('JSON of what quality and credit rest on: reasons and unknowns of each', ZSTD3),
      model_version,
      data_height: uint32('Height of the data the profile was computed from'),
      computed_at: time('When it was computed'),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['network', 'address'],
    window: 1_000,
    settings: { index_granularity: 128, ...COMPACT },
  },
  {
    kind: 'table',
    name: 'wallet_ranks',
    comment:
      'Rank of each wallet with a stored profile and enough transactions. Rows older than the newest complete refresh do not count',
    columns: {
      network,
      address,
      version: uint64('Refresh that gave the rank, milliseconds since the epoch'),
      points: float64(
        'Reputation points: (1000/110) (experience + 1) (risk capability + 1) (1 - probability), plus small shares for transactions and age',
      ),
      place: uint32('Dense rank by points, 1 is best'),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['network', 'address'],
    window: 1_000,
    settings: { index_granularity: 256 },
  },
  {
    kind: 'table',
    name: 'wallet_rank_refreshes',
    comment: 'Newest complete refresh of wallet_ranks in each network',
    columns: {
      network,
      version: uint64('Refresh that is complete, milliseconds since the epoch'),
      finished_at: time('When it was complete', { default: 'now()' }),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['network'],
  },
]
