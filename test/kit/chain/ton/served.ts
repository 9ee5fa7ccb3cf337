/** Chain data of TON nodes, and their faults. */
import type { Refusals } from '../../http-node.ts'
import type { Made, Master, PrintedId } from './chain.ts'

export type TonFaults = Refusals & {
  /** Status of refusals. */
  status?: 429 | 500 | 503
  retryAfter?: number
  /** Number of newest masterchain blocks the node does not know. */
  lag?: number
  /** Missing masterchain blocks. */
  gaps?: readonly number[]
  /** Answers the block before the requested one. */
  older?: number
  /** Omits a shard from the newest ones. */
  lacksShard?: number
  /** Reports the parent of the parent, so that a block is skipped. */
  skipsBlock?: number
  /** Reports more parents than a function takes arguments. */
  manyParents?: number
  /** Reports this many workchains, each with a shard. */
  manyTips?: number
  /** Reports one of the two merged blocks. */
  oneParent?: number
  /** Silently omits a transaction from the middle of those of an account. */
  cutTransactions?: number
  /** Pages never end, though there is nothing more. */
  endless?: number
  /** Full pages are marked as the last. */
  saysComplete?: boolean
  /** Answer of version 3 with status 200 to a request for transactions. */
  insteadOfTransactions?: unknown
  /** Version 3 omits a transaction that is followed by another of its account, and counts one less. */
  hides?: number
  /** Version 3 reports wrong hashes for the newest blocks of shards. */
  renamesTips?: number
  /** Every page is the first one. */
  repeatsPages?: boolean
  /** Bytes of transactions do not match their hash. */
  forgedTransaction?: number
  /** Transactions of another block of the shard. */
  otherBlock?: number
  /** Id of the newest block instead of its own. */
  newestHash?: string
  /** Get methods find no contracts, as before their deployment. */
  knowsNoContract?: boolean
  /** Get methods find no contracts until the newest block is requested. */
  catchesUp?: boolean
  /** Delay before every answer, ms. */
  delayMs?: number
}

export type ServedChain = {
  height: () => number
  at: (number: number) => Master | undefined
  find: (id: Pick<PrintedId, 'workchain' | 'shard' | 'seqno'>) => Made | undefined
}
