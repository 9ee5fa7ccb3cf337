/** Ranges of authority logs from the endpoints of a network, whichever of them has the blocks. */
import type { Context } from '../../../platform/context.ts'
import { RetryableError } from '../../../platform/errors.ts'
import { RpcAbsent } from '../../../platform/rpc/errors.ts'
import type { Node, RpcPool } from '../../../platform/rpc/pool.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { createBloom } from '../../source/evm/bloom.ts'
import { createVerifier } from '../../source/evm/verify/index.ts'
import type { Step } from '../authorities/plan.ts'
import { createRangeReader, type Range } from './read-range.ts'

export type { Range } from './read-range.ts'

/** No endpoint has logs below block `lowest`. */
export type Lacking = { lowest: number }

/** An endpoint does not have what it answered for: blocks from `back` on have to be read again. */
export type Doubted = { back: number }

/** Where the walk reads logs. */
export type AuthorityLogReader = {
  /**
   * The logs of a step from its first block on, as far as one answer reaches. Where no endpoint has them that far back: the
   * lowest block above from which one has. Where an endpoint turns out to have answered nothing for what it does not have:
   * how far to go back. An answer that reaches `target` comes when all answers before it are proved.
   * @throws RetryableError when endpoints did not answer; RpcError.
   */
  read: (step: Step, target: number, signal: AbortSignal) => Promise<Range | Lacking | Doubted>
  /** Lowest block that is answered and not proved yet. */
  unprovedFrom: () => number | undefined
}

const TIMEOUT_MS = 20_000
const DEADLINE_MS = 300_000
/** How long an endpoint is waited for that has to prove its last answers. */
const PROOF_DEADLINE_MS = 30_000
/** Failures in a row after which an endpoint that does not answer no longer keeps the others from being believed. */
const PATIENCE = 5

export type AuthorityLogReaderOptions = {
  context: Pick<Context, 'clock' | 'metrics'>
  network: Network
  pool: RpcPool
  /** Bound of one call, ms: ranges that take longer are halved. @default 20_000 */
  timeoutMs?: number
}

export const createAuthorityLogReader = ({
  context,
  network,
  pool,
  timeoutMs = TIMEOUT_MS,
}: AuthorityLogReaderOptions): AuthorityLogReader => {
  const { clock, metrics } = context
  const { dialect } = networkInfo(network)
  const refusals = metrics.counter(
    'assay_authority_refusals_total',
    'Ranges of logs that endpoints refused, by reason',
    ['network', 'host', 'reason'] as const,
  )
  const verifier = dialect && createVerifier(dialect, createBloom())
  const ranges = createRangeReader({
    clock,
    network,
    blooms: dialect?.verifies.receipts === true,
    verifyHeader: (header) => verifier?.header(header),
    onRefused: (host, reason) => refusals.inc({ network, host, reason }),
  })
  const { proofs } = ranges
  const hosts = [...new Set(pool.hosts)]
  let failures = 0

  /** Lowest block from `from` on with logs of any endpoint; `undefined` while one that may have lower ones has not answered. */
  const lowestAnywhere = (from: number): number | undefined => {
    const known = hosts.flatMap((host) => proofs.knownFloor(host, from) ?? [])
    return known.length === hosts.length || (failures >= PATIENCE && known.length > 0) ? Math.min(...known) : undefined
  }

  /** What an endpoint that is not used at the moment answered has to be proved too; what it cannot prove is doubted. */
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
    read: async (step, target, signal) => {
      try {
        const range = await pool.attempt((node) => ranges.read(node, step, target), {
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
        const doubted = doubtedBelow(step.from)
        if (doubted) return doubted
        const lowest = lowestAnywhere(step.from)
        const nowhere = lowest !== undefined && lowest > step.from
        if (nowhere && (error instanceof RpcAbsent || error instanceof RetryableError)) return { lowest }
        failures += 1
        if (!(error instanceof RpcAbsent)) throw error
        throw new RetryableError(
          'ASSAY_SOURCE_LOGS_UNAVAILABLE',
          `No endpoint of ${network} that answered has the logs of block ${step.from}. Nothing was skipped; the others are asked again.`,
          { cause: error },
        )
      }
    },
  }
}
