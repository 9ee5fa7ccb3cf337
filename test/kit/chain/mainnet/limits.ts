/** What a node's operator or provider allows, in the words that are theirs (`indexer/history/logs/limits.test.ts` has the sources). */

export type Call = { id: unknown; method: string; params?: unknown[] }
export type Refused = { code: number; message: string }

export type Limits = {
  /** Blocks of one `eth_getLogs` at most. */
  logBlocks?: number
  /** Logs of one answer at most. */
  logResults?: number
  /** Blocks of one `trace_filter` at most. */
  traceBlocks?: number
  /** Calls of one POST at most. */
  batch?: number
  /** Calls a second at most; more are answered 429. */
  perSecond?: number
  /** Bodies, receipts and logs below this block are gone: said (error 4444), or answered as if nothing had been there. */
  pruned?: { below: number; silently?: boolean }
  /** State of the newest 128 blocks alone. */
  noArchive?: boolean
  /** Methods that are not offered, by how their names begin. */
  without?: readonly string[]
  /** Time of every answer, ms. */
  delayMs?: number
  /** Called with the calls of each POST; what it throws closes the connection. */
  onPost?: (calls: readonly Call[]) => void
}

/** Nodes and providers as people have them. */
export const PLANS = {
  /** Erigon at home: an archive without limits of note. */
  erigon: {},
  /** Infura: any range, 10,000 results. */
  infura: { logResults: 10_000, without: ['ots_', 'trace_', 'debug_'] },
  /** QuickNode and others: 10,000 blocks and 10,000 results, an archive, no index of accounts. */
  quicknode: { logBlocks: 10_000, logResults: 10_000, batch: 100, without: ['ots_', 'trace_filter'] },
  /** Reth at home: 100 blocks a `trace_filter`. */
  reth: { logBlocks: 100_000, logResults: 20_000, traceBlocks: 100, without: ['ots_'] },
  /** Alchemy without paying: 10 blocks. */
  free: { logBlocks: 10, without: ['ots_', 'trace_', 'debug_'] },
  /** Geth as it comes. */
  geth: { noArchive: true, without: ['ots_', 'trace_'] },
} as const satisfies Record<string, Limits>

/** Blocks whose state a node without an archive has. */
const STATES = 128

const hex = (number: number) => `0x${number.toString(16)}`

/** Why a range of logs is not answered, before it is looked at. */
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

/** Why so many logs are not answered. */
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

/** Why the state of a block is not answered. */
export const refuseState = ({ noArchive }: Limits, number: number, head: number): Refused | undefined =>
  noArchive && number < head - STATES
    ? { code: -32_000, message: 'missing trie node 5e5e5e (path ) state 0x5e5e5e is not available' }
    : undefined
