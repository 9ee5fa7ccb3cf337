/**
 * Follows one network from its source to its topics: a loop over the states of `state.ts`, where each step returns the next
 * state. A reorg below finality, a wrong chain, or a second indexer of the network ends the loop with an error.
 */
import type { Bus } from '../../platform/bus/bus.ts'
import type { Context } from '../../platform/context/context.ts'
import { messageOf, RetryableError } from '../../platform/errors.ts'
import { HISTORY_PARTITIONS, topics } from '../../schema/topics.ts'
import type { PackedSource } from '../source/packed.ts'
import { createBell } from './bell.ts'
import { followHead } from './head.ts'
import { publishHistory } from './history.ts'
import type { Progress } from './progress.ts'
import type { Publisher } from './publish.ts'
import type { RangeOptions } from './range.ts'
import { resume } from './resume.ts'
import {
  assertMove,
  type FollowState,
  type Head,
  type History,
  START,
  type Starting,
  type Stopped,
  type Waiting,
} from './state.ts'
import { createTopicEnds, TOPIC_RESET } from './topic-ends.ts'
import { createWindow } from './window.ts'

/** Where indexing starts, and how far it reads ahead. */
export type FollowOptions = {
  /**
   * First block to index; at most the finalized block.
   * @default `historyBlocks` below the head
   */
  startBlock?: number | undefined
  /** Blocks behind the head where indexing starts without a start block. @default 1_000 */
  historyBlocks: number
  /** Depth below the tip from which blocks count as finalized. @default that of the network */
  reorgWindow: number
  /** Number of blocks requested ahead. @default 32 */
  concurrency: number
  /** Memory for fetched but unpublished blocks, bytes. @default 64_000_000 */
  maxBytesInFlight: number
  /** Maximum wait for a notification of a new head, ms. @default 4 block times */
  idleMs: number
}

type Deps = {
  context: Context
  source: PackedSource
  bus: Bus
  publisher: Publisher
  progress: Progress
  options: FollowOptions
}

/** History ends when at most this many finalized blocks are left, which go to the head topic. */
const MAX_LEFT = 32
const RETRY_MS = 50
const MAX_RETRY_MS = 5_000

/** Whether the topics have to be read again after the failure. */
const needsStart = ({ code }: RetryableError) => code.startsWith('ASSAY_BUS_') || code === TOPIC_RESET

/** Resolves at shutdown. @throws the error that ended the loop, which is never retryable. */
export const follow = async ({ context, source, bus, publisher, progress, options }: Deps): Promise<void> => {
  const { clock, log, lifecycle, metrics } = context
  const { network } = source
  const { signal } = lifecycle
  const range: RangeOptions = { concurrency: options.concurrency, maxBytes: options.maxBytesInFlight, signal }
  const retries = metrics.counter('assay_indexer_retries_total', 'Retried failures, by code', [
    'network',
    'code',
  ] as const)
  const bell = createBell()
  const ends = createTopicEnds(bus, network)
  let state: FollowState = START

  const moveTo = <Next extends FollowState>(next: Next): Next => {
    assertMove(network, state, next)
    if (next.at !== state.at) log.debug({ network, from: state.at, to: next.at }, 'changed the state')
    state = next
    return next
  }

  /**
   * Newest and finalized head, as nodes report them; a lagging node may report a lower finalized block than before. On networks
   * without reorgs the finalized head is also the newest, because one host's word is not enough for a block that is never undone.
   */
  const readHeads = async () => {
    const [head, finalized] = await Promise.all([source.head(signal), source.finalizedHead(signal)])
    const newest = finalized.number > head.number || options.reorgWindow === 0 ? finalized : head
    progress.headSeen(newest.number)
    return { head: newest, finalized }
  }

  const start = async ({ failures }: Starting): Promise<FollowState> => {
    progress.phase('starting')
    await source.verify(signal)
    await bus.createTopics([
      { topic: topics.history(network), partitions: HISTORY_PARTITIONS },
      { topic: topics.head(network), partitions: 1 },
    ])
    await publisher.open()
    const { window, history, logs } = await resume(bus, network)
    publisher.identify(logs)
    ends.clear()
    if (history) progress.history(history.last.number)
    if (window) progress.published(window.tip().number, window.finalized().number)
    log.info({ network, indexed: (window?.tip() ?? history?.last)?.number ?? null }, 'resumed from the topics')
    if (window) return { at: 'head', failures, window }
    return { at: 'history', failures, first: history?.first, last: history?.last, passed: false }
  }

  const startBlockOf = (head: number, finalized: number) =>
    Math.min(options.startBlock ?? Math.max(0, head - options.historyBlocks), finalized)

  /** Publishes one pass of history up to the finalized head. */
  const runHistory = async (at: History): Promise<FollowState> => {
    const { head, finalized } = await readHeads()
    const { last } = at
    const left = last && finalized.number - last.number
    if (last && left !== undefined && (left <= 0 || (at.passed && left <= MAX_LEFT))) {
      await publisher.handOver(at.first ?? last.number, last)
      return { at: 'head', failures: at.failures, window: createWindow(last) }
    }
    const from = last ? last.number + 1 : startBlockOf(head.number, finalized.number)
    progress.phase('history')
    progress.historyRange(from, finalized.number)
    const first = at.first ?? from
    let reached = at
    await publishHistory({
      source,
      publisher,
      from,
      finalized,
      below: last,
      range,
      published: ({ number, hash }) => {
        reached = moveTo({ at: 'history', failures: 0, first, last: { number, hash }, passed: false })
        progress.history(number)
      },
    })
    return { ...reached, passed: true }
  }

  /** Checks the chain once, and waits for the next head if everything is published. */
  const runHead = async ({ window }: Head): Promise<FollowState> => {
    const { head, finalized } = await readHeads()
    // Only once the head is known: readers of the phase compare the head with the tables.
    progress.phase('head')
    await followHead(
      {
        source,
        publisher,
        window,
        reorgWindow: options.reorgWindow,
        range,
        pause: (ms) => clock.sleep(ms, signal),
        report: {
          published: () => progress.published(window.tip().number, window.finalized().number),
          reorg: (depth) => {
            progress.reorg(depth)
            log.warn({ network, depth, tip: window.tip().number }, 'followed a reorg')
          },
        },
      },
      head,
      finalized,
    )
    progress.published(window.tip().number, window.finalized().number)
    if (window.tip().number >= head.number) {
      await bell.wait((stop) => clock.sleep(options.idleMs, AbortSignal.any([stop, signal])))
    }
    return { at: 'head', failures: 0, window }
  }

  const waitOut = async ({ error, failures, next }: Waiting): Promise<FollowState> => {
    retries.inc({ network, code: error.code })
    progress.waiting(error)
    log.warn({ network, code: error.code, failures, reason: error.message }, 'waiting after a failure')
    if (error.code === 'ASSAY_INDEXER_BROKEN_CHAIN') source.rotate?.()
    await clock.sleep(Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** Math.min(failures, 10)), signal).catch(() => undefined)
    return next
  }

  const step = async (now: Exclude<FollowState, Stopped>): Promise<FollowState> => {
    if (now.at === 'starting') return start(now)
    if (now.at !== 'waiting') await ends.check()
    if (now.at === 'history') return runHistory(now)
    return now.at === 'head' ? runHead(now) : waitOut(now)
  }

  /** The state after a failure: after one of a node the same state, after one of the bus a new start. */
  const afterFailure = (error: unknown): Waiting | Stopped => {
    if (!(error instanceof RetryableError) || state.at === 'waiting' || state.at === 'stopped') {
      return { at: 'stopped', error }
    }
    const failures = state.failures + 1
    if (needsStart(error) || state.at === 'starting') {
      return { at: 'waiting', failures, error, next: { at: 'starting', failures } }
    }
    const again = state.at === 'history' ? { ...state, passed: false } : state
    return { at: 'waiting', failures, error, next: { ...again, failures } }
  }

  const stopListening = source.onHead(bell.ring)
  try {
    while (state.at !== 'stopped') {
      let next: FollowState
      try {
        const working = state.at !== 'waiting'
        next = await step(state)
        if (working) progress.waiting(undefined)
      } catch (error) {
        next = afterFailure(error)
      }
      moveTo(signal.aborted ? { at: 'stopped' } : next)
    }
    if (state.error !== undefined) throw state.error
  } catch (error) {
    log.error({ network, reason: messageOf(error) }, 'stopped indexing a network')
    throw error
  } finally {
    stopListening()
    progress.phase('stopped')
    await publisher.close().catch(() => undefined)
  }
}
