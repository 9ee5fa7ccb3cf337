/** Base of the past tier: the first covered block of each network, and the progress of each authority's log. */
import { flag, instant, network, text, uint32, uint64, word } from '../column.ts'
import type { SchemaObject } from '../ddl.ts'
import { TOKENS_REMEMBERED } from './tiers.ts'

const now = { default: 'now64(3)' }
const block_number = uint32('Lowest block whose rows are in the final or the hot tables')

const logColumns = {
  network,
  authority: text('Contract whose log it is'),
  list: word('sanctions, freeze or mixer: what the log is read for'),
  name: text('What the contract is called'),
  since: uint32('Block before which the contract logged nothing; 0 where that is not known'),
  from_block: uint32('First block of the part that was read without a hole up to to_block'),
  to_block: uint32('Last block that was read; below from_block while nothing was'),
  target: uint32('Block up to which it is read; blocks above come with the stream'),
  complete: flag('1 when everything from since to target was read'),
  source: text('Host that answered'),
  reason: text('Why it is not complete; empty when it is'),
  left_seconds: uint32('Estimate of the time left, seconds; 0 when nothing is left or nothing is known'),
  version: uint64('Milliseconds since the epoch when the row was written; the newest counts'),
} as const

const pastColumns = {
  network,
  address: text('Wallet whose past was asked for'),
  to_block: uint32('Block up to which its past was fetched; those above come with the stream'),
  sent: flag('1 when every transaction it signed up to to_block is known'),
  native: flag('1 when every movement of native coin up to to_block is known'),
  tokens: flag('1 when every movement and approval of tokens up to to_block is known'),
  complete: flag('1 when all of these are, so that nothing it did up to to_block is missing'),
  done: flag('1 when nothing more is being looked for'),
  transactions: uint32('Transactions it signed up to to_block, by its number; 0 where that is not known'),
  blocks: uint32('Blocks that were read for it'),
  sources: text('Ways of finding them that were used, comma-separated'),
  why: text('What is missing and why; empty when nothing is'),
  pools_why: text(
    'Of a token: why pools that exchanges announced with it may be missing; empty where none is, and where they were not looked for (sources has no factories)',
  ),
  version: uint64('Milliseconds since the epoch when the row was written; the newest counts'),
} as const

/** Table of the fetched pasts of wallets from before the first covered block. */
export const walletPastObjects: SchemaObject[] = [
  {
    kind: 'table',
    name: 'wallet_pasts',
    comment: 'What was fetched of the pasts of single wallets, from before the first covered block. Read with FINAL',
    columns: { ...pastColumns, updated_at: instant('When the row was written', now) },
    engine: 'ReplacingMergeTree(version)',
    partitionBy: 'network',
    orderBy: ['network', 'address'],
    window: TOKENS_REMEMBERED,
    settings: { index_granularity: 256 },
  },
]

/** Lowest stored block of each network: a table of minima, its feeds and its view. */
export const firstCoveredObjects: SchemaObject[] = [
  {
    kind: 'table',
    name: 'first_blocks',
    comment: 'Lowest block stored of each network. Read through first_covered_blocks',
    columns: {
      network,
      block_number: { ...block_number, type: 'SimpleAggregateFunction(min, UInt32)' },
    },
    engine: 'AggregatingMergeTree',
    orderBy: ['network'],
    window: TOKENS_REMEMBERED,
  },
  ...['blocks', 'blocks_hot'].map(
    (from): SchemaObject => ({
      kind: 'feed',
      name: `first_blocks_from_${from}`,
      to: 'first_blocks',
      select: `SELECT network, min(a.block_number) AS block_number
FROM ${from} AS a
GROUP BY network`,
    }),
  ),
  {
    kind: 'view',
    name: 'first_covered_blocks',
    comment: 'First covered block of each network: rows of past tiers count below it only',
    columns: { network, block_number },
    select: `SELECT f.network AS network, min(f.block_number) AS block_number
FROM (SELECT toString(network) AS network, block_number FROM first_blocks) AS f
GROUP BY f.network`,
  },
]

/** Table of the progress of each authority's log. */
export const authorityLogObjects: SchemaObject[] = [
  {
    kind: 'table',
    name: 'authority_logs',
    comment: 'How much of the log of each authority was read, from before the first covered block on. Read with FINAL',
    columns: { ...logColumns, updated_at: instant('When the row was written', now) },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['network', 'authority'],
    window: TOKENS_REMEMBERED,
  },
]
