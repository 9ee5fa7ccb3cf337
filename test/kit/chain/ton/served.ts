/** What nodes of TON answer for, and what goes wrong with them. */
import type { Refusals } from '../../http-node.ts'
import type { Made, Master, PrintedId } from './chain.ts'

export type TonFaults = Refusals & {
  /** Status of refusals. */
  status?: 429 | 500 | 503
  retryAfter?: number
  /** Blocks of the masterchain behind the newest that it knows nothing of. */
  lag?: number
  /** Blocks of the masterchain it does not have. */
  gaps?: readonly number[]
  /** Answers the block before the one asked for. */
  older?: number
  /** Leaves a shard out of the newest ones. */
  lacksShard?: number
  /** Names the parent of the parent, so that a block between is passed over. */
  skipsBlock?: number
  /** Names more parents than a function takes arguments. */
  manyParents?: number
  /** Names as many workchains, each with a shard. */
  manyTips?: number
  /** Names one of the two blocks that were merged. */
  oneParent?: number
  /** A transaction is gone from the middle of those of an account, and nothing is said of it. */
  cutTransactions?: number
  /** Pages never end, though there is nothing more. */
  endless?: number
  /** Full pages are called the last. */
  saysComplete?: boolean
  /** What version 3 answers with status 200 where transactions are asked for. */
  insteadOfTransactions?: unknown
  /** Version 3 leaves out a transaction that another one of its account follows, and counts one less. */
  hides?: number
  /** Version 3 names the newest blocks of shards by other hashes than the blocks have. */
  renamesTips?: number
  /** Every page is the first one. */
  repeatsPages?: boolean
  /** Transactions have other bytes than their hash. */
  forgedTransaction?: number
  /** Transactions of another block of the shard. */
  otherBlock?: number
  /** Name of the newest block, in place of its own. */
  newestHash?: string
  /** Get methods know nothing of contracts, as before they were there. */
  knowsNoContract?: boolean
  /** Get methods know nothing of contracts until the newest block is asked for. */
  catchesUp?: boolean
  /** Time before every answer, ms. */
  delayMs?: number
}

export type ServedChain = {
  height: () => number
  at: (number: number) => Master | undefined
  find: (id: Pick<PrintedId, 'workchain' | 'shard' | 'seqno'>) => Made | undefined
}
