/** Ranges of authority logs from the endpoints of a network, whichever of them has the blocks. */
import type { Context } from '../../../platform/context.ts'
import { RetryableError } from '../../../platform/errors.ts'
import { RpcAbsent } from '../../../platform/rpc/errors.ts'
import type { RpcPool } from '../../../platform/rpc/pool.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { createBloom } from '../../source/evm/bloom.ts'
import { createVerifier } from '../../source/evm/verify/index.ts'
import type { Step } from './plan.ts'
import { createRangeReader, type Range } from './read-range.ts'

export type { Range } from './read-range.ts'

/** No endpoint has logs below block `lowest`. */
export type Lacking = { lowest: number }

/** Where the walk reads logs. */
export type AuthorityLogReader = {
  /**
   * The logs of a step from its first block on, as far as one answer reaches. Where no endpoint has them that far back: the
   * lowest block above from which one has.
   * @throws RetryableError when endpoints did not answer; RpcError.
   */
  read: (step: Step, target: number, signal: AbortSignal) => Promise<Range | Lacking>
}

const TIMEOUT_MS = 20_000
const DEADLINE_MS = 300_000
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
  const hosts = [...new Set(pool.hosts)]
  let failures = 0

  /** Lowest block with logs of any endpoint; `undefined` while one that may have lower ones has not answered. */
  const lowestAnywhere = (): number | undefined => {
    const known = hosts.flatMap((host) => ranges.floors.get(host) ?? [])
    return known.length === hosts.length || (failures >= PATIENCE && known.length > 0) ? Math.min(...known) : undefined
  }

  return {
    read: async (step, target, signal) => {
      try {
        const range = await pool.attempt((node) => ranges.read(node, step, target), {
          signal,
          timeoutMs,
          deadlineMs: DEADLINE_MS,
          attempts: 4 * hosts.length,
        })
        failures = 0
        return range
      } catch (error) {
        const lowest = lowestAnywhere()
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
