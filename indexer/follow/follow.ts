/**
 * One network's way from its source to its topics.
 *
 * States: `starting` (chain id checked, place read from the topics) -> `history` (final blocks to the history topic)
 * -> `head` (in order, with reorgs, to the head topic) -> `stopped`. A network that has anything on its head topic skips
 * history for good: what it missed it catches up with on the head topic, several blocks to a message.
 * Moves back: after a send of unknown outcome the loop becomes `starting` again, with a new producer (which settles the
 * outcome) and the place read anew. Failures of nodes are waited out where they happen. A reorg below finality, a
 * wrong chain and a second indexer of the network end the loop with their coded error.
 */
import type { Bus } from '../../platform/bus/bus.ts'
import type { Context } from '../../platform/context.ts'
import { messageOf, RetryableError } from '../../platform/errors.ts'
import { HISTORY_PARTITIONS, topics } from '../../schema/topics.ts'
import type { Source } from '../source/source.ts'
import { followHead } from './head.ts'
import { publishHistory } from './history.ts'
import type { Progress } from './progress.ts'
import type { Publisher } from './publish.ts'
import type { RangeOptions } from './range.ts'
import { resume } from './resume.ts'
import { type Anchor, createWindow, type Window } from './window.ts'

export type FollowOptions = {
  /** First block to index; lowered to the final block when it lies above it. */
  startBlock?: number | undefined
  /** Blocks behind the head to begin with when there is no start block. */
  historyBlocks: number
  reorgWindow: number
  concurrency: number
  maxBytesInFlight: number
  /** Longest wait for word of a new head, ms. */
  idleMs: number
}

type Deps = {
  context: Context
  source: Source
  bus: Bus
  publisher: Publisher
  progress: Progress
  options: FollowOptions
}

/** History is over once this few final blocks are left: the head takes them along. */
const CLOSE_ENOUGH = 32
const RETRY_MS = 50
const MAX_RETRY_MS = 5_000

/** A wait that a notification ends early. */
const createBell = () => {
  let rung = false
  let ring: (() => void) | undefined
  return {
    ring: () => {
      rung = true
      ring?.()
    },
    /** Resolves when rung since the last wait, or when `other` does. */
    wait: async (other: (signal: AbortSignal) => Promise<void>) => {
      const stop = new AbortController()
      const heard = new Promise<void>((resolve) => {
        ring = resolve
        if (rung) resolve()
      })
      await Promise.race([heard, other(stop.signal).catch(() => undefined)])
      stop.abort()
      rung = false
    },
  }
}

export const follow = async ({ context, source, bus, publisher, progress, options }: Deps): Promise<void> => {
  const { clock, log, lifecycle, metrics } = context
  const { network } = source
  const { signal } = lifecycle
  const range: RangeOptions = { concurrency: options.concurrency, maxBytes: options.maxBytesInFlight, signal }
  const retries = metrics.counter('assay_indexer_retries_total', 'Failures waited out, by code', [
    'network',
    'code',
  ] as const)
  const bell = createBell()
  let failures = 0
  let ready = false
  let window: Window | undefined
  let history: Anchor | undefined

  /** Head and final head, as nodes say now. A lagging node may name a final block lower than before: the window never falls. */
  const look = async () => {
    const [head, finalized] = await Promise.all([source.head(signal), source.finalizedHead(signal)])
    const newest = finalized.number > head.number ? finalized : head
    progress.saw(newest.number)
    return { head: newest, finalized }
  }

  const start = async () => {
    progress.phase('starting')
    await source.verify()
    await bus.createTopics([
      { topic: topics.history(network), partitions: HISTORY_PARTITIONS },
      { topic: topics.head(network), partitions: 1 },
    ])
    await publisher.open()
    const place = await resume(bus, network)
    window = place.window
    history = place.history
    if (history) progress.history(history.number)
    if (window) progress.published(window.tip().number, window.final().number)
    log.info({ network, indexed: (window?.tip() ?? history)?.number ?? null }, 'resumed from the topics')
    ready = true
  }

  const startBlockOf = (head: number, final: number) =>
    Math.min(options.startBlock ?? Math.max(0, head - options.historyBlocks), final)

  /** Everything final to the history topic, then the window the head goes on from. */
  const runHistory = async (): Promise<Window | undefined> => {
    for (let pass = 0; ; pass += 1) {
      const { head, finalized } = await look()
      const from = history ? history.number + 1 : startBlockOf(head.number, finalized.number)
      if (from > finalized.number || (pass > 0 && finalized.number - from < CLOSE_ENOUGH)) break
      progress.phase('history')
      progress.historyRange(from, finalized.number)
      await publishHistory({
        source,
        publisher,
        from,
        finalized,
        below: history,
        range,
        published: ({ number, hash }) => {
          history = { number, hash }
          progress.history(number)
          failures = 0
        },
      })
      if (signal.aborted) return undefined
    }
    return history && createWindow(history)
  }

  const runHead = async (at: Window) => {
    progress.phase('head')
    const { head, finalized } = await look()
    await followHead(
      {
        source,
        publisher,
        window: at,
        reorgWindow: options.reorgWindow,
        range,
        pause: (ms) => clock.sleep(ms, signal),
        report: {
          published: () => progress.published(at.tip().number, at.final().number),
          reorg: (depth) => {
            progress.reorg(depth)
            log.warn({ network, depth, tip: at.tip().number }, 'followed a reorg')
          },
        },
      },
      head,
      finalized,
    )
    failures = 0
    progress.published(at.tip().number, at.final().number)
    if (at.tip().number < head.number) return
    await bell.wait((stop) => clock.sleep(options.idleMs, AbortSignal.any([stop, signal])))
  }

  const turn = async () => {
    if (!ready) await start()
    window ??= await runHistory()
    if (window && !signal.aborted) await runHead(window)
  }

  const waitOut = async (error: RetryableError) => {
    failures += 1
    retries.inc({ network, code: error.code })
    log.warn({ network, code: error.code, failures, reason: error.message }, 'waits a failure out')
    if (error.code.startsWith('ASSAY_BUS_')) ready = false
    if (error.code === 'ASSAY_INDEXER_BROKEN_CHAIN') source.rotate?.()
    await clock.sleep(Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** Math.min(failures, 10)), signal).catch(() => undefined)
  }

  const stopListening = source.onHead(bell.ring)
  try {
    while (!signal.aborted) {
      try {
        await turn()
      } catch (error) {
        if (signal.aborted) break
        if (!(error instanceof RetryableError)) throw error
        await waitOut(error)
      }
    }
  } catch (error) {
    log.error({ network, reason: messageOf(error) }, 'stopped indexing a network')
    throw error
  } finally {
    stopListening()
    progress.phase('stopped')
    await publisher.close().catch(() => undefined)
  }
}
