/** Limits of nodes and providers, with their exact messages (sources in `indexer/history/logs/limits.test.ts`). */

export type Call = { id: unknown; method: string; params?: unknown[] }
export type Refused = { code: number; message: string }

export type Limits = {
  /** Maximum number of blocks per `eth_getLogs`. */
  logBlocks?: number
  /** Maximum number of logs per answer. */
  logResults?: number
  /** Maximum number of blocks per `trace_filter`. */
  traceBlocks?: number
  /** Maximum number of calls per POST. */
  batch?: number
  /** Maximum number of calls per second; more get status 429. */
  perSecond?: number
  /** Bodies, receipts and logs below this block are pruned: refused with error 4444, or answered as empty. */
  pruned?: { below: number; silently?: boolean }
  /** Only the state of the newest 128 blocks is available. */
  noArchive?: boolean
  /** Prefixes of methods that are not offered. */
  without?: readonly string[]
  /** Delay of every answer, ms. */
  delayMs?: number
  /** Called with the calls of each POST; throwing closes the connection. */
  onPost?: (calls: readonly Call[]) => void
}

/** Common nodes and providers. */
export const PLANS = {
  /** Erigon at home: an archive without notable limits. */
  erigon: {},
  /** Infura: any range, 10,000 results. */
  infura: { logResults: 10_000, without: ['ots_', 'trace_', 'debug_'] },
  /** QuickNode and others: 10,000 blocks and 10,000 results, an archive, no index of accounts. */
  quicknode: { logBlocks: 10_000, logResults: 10_000, batch: 100, without: ['ots_', 'trace_filter'] },
  /** Reth at home: 100 blocks per `trace_filter`. */
  reth: { logBlocks: 100_000, logResults: 20_000, traceBlocks: 100, without: ['ots_'] },
  /** Alchemy's free tier: 10 blocks. */
  free: { logBlocks: 10, without: ['ots_', 'trace_', 'debug_'] },
  /** Geth with default settings. */
  geth: { noArchive: true, without: ['ots_', 'trace_'] },
} as const satisfies Record<string, Limits>

/** Number of blocks whose state a node without an archive has. */
const STATES = 128

const hex = (number: number) => `0x${number.toString(16)}`

/** Error for a range of logs before it is read. */
export const refuseRange = ({ logBlocks, pruned }: Limits, from: number, to: number): Refused | undefined => {
  if (logBlocks !== undefined && to - from + 1 > logBlocks) {
    return logBlocks === 10
      ? {
          code: -32_600,
          message:
            'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Upgrade to PAYG for expanded block range.',
        }
      : { code: -32_614, message: `eth_getLogs is limited to a ${logBlocks.toLocaleString('en-US')} range` }
  }
  return pruned && !pruned.silently && from < pruned.below
    ? { code: 4444, message: 'pruned history unavailable' }
    : undefined
}

/** Error for too many logs in an answer. */
export const refuseResults = ({ logResults }: Limits, found: number, from: number, to: number): Refused | undefined =>
  logResults !== undefined && found > logResults
    ? {
        code: -32_005,
        message: `query returned more than ${logResults} results. Try with this block range [${hex(from)}, ${hex(Math.floor((from + to) / 2))}].`,
      }
    : undefined

export const refuseTraces = ({ traceBlocks }: Limits, from: number, to: number): Refused | undefined =>
  traceBlocks !== undefined && to - from + 1 > traceBlocks
    ? { code: -32_602, message: `Block range too large; currently limited to ${traceBlocks} blocks` }
    : undefined

/** Error for the state of a block. */
export const refuseState = ({ noArchive }: Limits, number: number, head: number): Refused | undefined =>
  noArchive && number < head - STATES
    ? { code: -32_000, message: 'missing trie node 5e5e5e (path ) state 0x5e5e5e is not available' }
    : undefined
