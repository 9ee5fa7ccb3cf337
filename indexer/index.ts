import type { Bus } from '../platform/bus/bus.ts'
import { steadyTime } from '../platform/context/clock.ts'
import type { Context } from '../platform/context/context.ts'
import { isAssayError } from '../platform/errors.ts'
import { type Network, networkInfo } from '../schema/networks.ts'
import { type FollowOptions, follow } from './follow/follow.ts'
import { createProgress, type IndexerStatus } from './follow/progress.ts'
import { createPublisher } from './follow/publish.ts'
import type { AuthorityWalk, WalkStatus } from './history/authorities/walk.ts'
import type { PastWorker } from './history/wallets/worker.ts'
import { packedSource } from './source/packed.ts'
import type { Source } from './source/source.ts'
import { traceSource } from './source/traced.ts'

export type { IndexerStatus } from './follow/progress.ts'

/** Options of a run. Defaults depend on the network. */
export type IndexerOptions = Partial<FollowOptions> & {
  /** Time without progress after which the network counts as stalled, ms. @default 10 block times, at least 15_000 */
  stallMs?: number
}

/** The indexer of one network. */
export type Indexer = {
  /**
   * Follows the network until shutdown, then resolves at a safe point: no transaction is half published.
   * @throws OperatorError ASSAY_REORG_TOO_DEEP, ASSAY_SOURCE_WRONG_CHAIN, ASSAY_BUS_FENCED, ASSAY_INDEXER_TOPIC_CUT;
   *   an error without a code is a bug.
   */
  run: () => Promise<void>
  status: () => IndexerStatus
  /** Progress of reading authority logs; `undefined` if they are not read. */
  authorities: () => WalkStatus | undefined
}

const STALL_BLOCKS = 10
const MIN_STALL_MS = 15_000
const IDLE_BLOCKS = 4
/** Pause after a failure to fetch wallet pasts, ms. */
const PASTS_AGAIN_MS = 5_000

/** Indexes one network from its source to its topics. The caller owns source and bus, and closes them after `run`. */
export const createIndexer = ({
  context,
  network,
  source,
  bus,
  authorities,
  pasts,
  options = {},
}: {
  context: Context
  network: Network
  source: Source
  bus: Bus
  /** Reads the logs of authorities, concurrently with the blocks. */
  authorities?: AuthorityWalk | undefined
  /** Fetches requested pasts of wallets. */
  pasts?: PastWorker | undefined
  options?: IndexerOptions
}): Indexer => {
  const { clock, log, lifecycle, metrics } = context
  const info = networkInfo(network)
  const progress = createProgress(context, network)
  const publisher = createPublisher({ bus, network, metrics })
  const stallMs = options.stallMs ?? Math.max(MIN_STALL_MS, info.blockTimeMs * STALL_BLOCKS)

  /** Reports a network without progress and rotates its endpoint, every `stallMs` until it moves again. */
  const watch = async (ended: AbortSignal) => {
    const signal = AbortSignal.any([ended, lifecycle.signal])
    const time = steadyTime(clock.now)
    let rotatedAt = 0
    while (!signal.aborted) {
      const quiet = progress.quietMs()
      if (quiet >= stallMs && !progress.status().stalled) {
        log.warn({ network, quietMs: quiet, head: progress.status().head ?? null }, 'made no progress')
      }
      progress.stalled(quiet >= stallMs)
      if (quiet >= stallMs && time() - rotatedAt >= stallMs) {
        rotatedAt = time()
        source.rotate?.()
      }
      await clock.sleep(Math.max(50, Math.min(1_000, stallMs / 4)), signal).catch(() => undefined)
    }
  }

  /** Reads authority logs. A failure does not stop the blocks, but the network does not become ready. */
  const walk = async (ended: AbortSignal) => {
    try {
      await authorities?.run(AbortSignal.any([ended, lifecycle.signal]))
    } catch (err) {
      log.error({ network, err }, 'stopped reading the logs of authorities')
    }
  }

  /** Fetches pasts of wallets. Requests stay on their topic while this is down. */
  const fetchPasts = async (ended: AbortSignal) => {
    const signal = AbortSignal.any([ended, lifecycle.signal])
    while (pasts && !signal.aborted) {
      try {
        await pasts.run(signal)
      } catch (err) {
        if (signal.aborted) return
        log.error({ network, err }, 'stopped fetching the pasts of wallets')
      }
      await clock.sleep(PASTS_AGAIN_MS, signal).catch(() => undefined)
    }
  }

  return {
    status: progress.status,
    authorities: () => authorities?.status(),
    run: async () => {
      const ended = new AbortController()
      const watching = Promise.all([watch(ended.signal), walk(ended.signal), fetchPasts(ended.signal)])
      try {
        await follow({
          context,
          source: traceSource(packedSource(source)),
          bus,
          publisher,
          progress,
          options: {
            startBlock: options.startBlock,
            historyBlocks: options.historyBlocks ?? 1_000,
            reorgWindow: options.reorgWindow ?? info.reorgWindow,
            concurrency: options.concurrency ?? 32,
            maxBytesInFlight: options.maxBytesInFlight ?? 64_000_000,
            idleMs: options.idleMs ?? info.blockTimeMs * IDLE_BLOCKS,
          },
        })
      } catch (error) {
        ended.abort()
        await watching
        progress.failed(isAssayError(error) ? error.code : 'unexpected')
        throw error
      } finally {
        ended.abort()
        await watching
      }
    },
  }
}
