/** Reads ranges of logs from any endpoint of a network that has the blocks. */
import type { Context } from '../../../platform/context/context.ts'
import { RetryableError } from '../../../platform/errors.ts'
import { RpcAbsent } from '../../../platform/rpc/errors.ts'
import type { Node, RpcPool } from '../../../platform/rpc/pool.ts'
import type { BlockRef } from '../../../schema/block.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { createBloom } from '../../source/evm/bloom.ts'
import { refOf } from '../../source/evm/heads.ts'
import type { RawHead } from '../../source/evm/raw.ts'
import { createVerifier } from '../../source/evm/verify/index.ts'
import type { FoundLog } from './logs.ts'
import { createRangeReader, type Span } from './read-range.ts'

export type { Span } from './read-range.ts'

/** Result of reading logs up to block `to`. `Made` is what was created from them. */
export type Range<Made> = { to: number; last: BlockRef; logs: number; host: string; made: Made }

/** No endpoint has logs below block `lowest`. */
export type Lacking = { lowest: number }

/** An endpoint answered without having the logs: blocks from `back` on have to be read again. */
export type Doubted = { back: number }

/** A reader for one walk upwards. */
export type LogReader<Made> = {
  /**
   * Reads the logs of a span from its first block, as far as one answer reaches. If no endpoint has them that far back, returns
   * the lowest block from which one has. If an endpoint turns out to have answered without having the logs, returns how far to
   * go back. The answer that reaches `target` is returned only when all answers before it are proved.
   * @throws RetryableError when endpoints did not answer; RpcError.
   */
  read: (span: Span, target: number, signal: AbortSignal) => Promise<Range<Made> | Lacking | Doubted>
  /** Lowest block of an answer that is not proved yet. */
  unprovedFrom: () => number | undefined
}

const TIMEOUT_MS = 20_000
const DEADLINE_MS = 300_000
/** How long to wait for an endpoint that has to prove its last answers. */
const PROOF_DEADLINE_MS = 30_000
/** Consecutive failures after which the others are trusted without waiting for a silent endpoint. */
const MAX_SILENT_FAILURES = 5

/** Which endpoints to read, and the time limit of a call. */
export type LogReaderOptions = {
  context: Pick<Context, 'clock' | 'metrics'>
  network: Network
  pool: RpcPool
  /** Time limit of one call, ms; slower ranges are halved. @default 20_000 */
  timeoutMs?: number
}

/** @param make creates the result from the logs, with the node that returned them. */
export const createLogReader = <Made>(
  { context, network, pool, timeoutMs = TIMEOUT_MS }: LogReaderOptions,
  make: (node: Node, found: readonly FoundLog[], verifyHeader: (header: RawHead) => void) => Promise<Made>,
): LogReader<Made> => {
  const { clock, metrics } = context
  const { dialect } = networkInfo(network)
  const refusals = metrics.counter(
    'assay_authority_refusals_total',
    'Ranges of logs that endpoints refused, by reason',
    ['network', 'host', 'reason'] as const,
  )
  const verifier = dialect && createVerifier(dialect, createBloom())
  const verifyHeader = (header: RawHead) => verifier?.header(header)
  const ranges = createRangeReader({
    clock,
    blooms: dialect?.verifies.receipts === true,
    verifyHeader,
    onRefused: (host, reason) => refusals.inc({ network, host, reason }),
  })
  const { proofs } = ranges
  const hosts = [...new Set(pool.hosts)]
  let failures = 0

  /** Lowest block from `from` on with logs at any endpoint; `undefined` while one that may have lower ones has not answered. */
  const lowestAnywhere = (from: number): number | undefined => {
    const known = hosts.flatMap((host) => proofs.knownFloor(host, from) ?? [])
    return known.length === hosts.length || (failures >= MAX_SILENT_FAILURES && known.length > 0)
      ? Math.min(...known)
      : undefined
  }

  /** Proves the answers of all endpoints, also of those not in use now. Answers that cannot be proved become doubted. */
  const proveAll = async (target: number, signal: AbortSignal) => {
    for (const host of proofs.open()) {
      const work = async (node: Node) => {
        if (node.host !== host) throw new RpcAbsent(`what ${host} answered`)
        await proofs.prove(node, target)
      }
      const bounds = { signal, timeoutMs, deadlineMs: PROOF_DEADLINE_MS, attempts: 3 }
      await pool.attempt(work, { ...bounds, prefer: (one) => one.host === host }).catch(() => {
        signal.throwIfAborted()
        proofs.doubt(host)
      })
    }
  }

  const doubtedBelow = (from: number): Doubted | undefined => {
    const back = proofs.takeDoubted()
    return back !== undefined && back < from ? { back } : undefined
  }

  return {
    unprovedFrom: proofs.openFrom,
    read: async (span, target, signal) => {
      const work = async (node: Node): Promise<Range<Made>> => {
        const { found, last, to, host } = await ranges.read(node, span, target)
        return { to, last: refOf(last), logs: found.length, host, made: await make(node, found, verifyHeader) }
      }
      try {
        const range = await pool.attempt(work, {
          signal,
          timeoutMs,
          deadlineMs: DEADLINE_MS,
          attempts: 4 * hosts.length,
        })
        failures = 0
        if (range.to >= target) await proveAll(target, signal)
        return doubtedBelow(range.to + 1) ?? range
      } catch (error) {
        signal.throwIfAborted()
        const doubted = doubtedBelow(span.from)
        if (doubted) return doubted
        const lowest = lowestAnywhere(span.from)
        const nowhere = lowest !== undefined && lowest > span.from
        if (nowhere && (error instanceof RpcAbsent || error instanceof RetryableError)) return { lowest }
        failures += 1
        if (!(error instanceof RpcAbsent)) throw error
        throw new RetryableError(
          'ASSAY_SOURCE_LOGS_UNAVAILABLE',
          `The endpoints of ${network} that answered do not have the logs of block ${span.from}. Nothing was skipped; the request is retried.`,
          { cause: error },
        )
      }
    },
  }
}
