/**
 * Reads the whole logs of sanctions oracles, issuers and mixers, from the first block of each contract up to the first block of
 * the stream, whatever history of blocks is indexed. One walk reads all of them, upwards, and publishes on topic
 * `past.<network>`, whose last message is its position.
 *
 *     reading ----> waiting for the first block of the stream ----> read
 *        ^  |                        |
 *        |  v                        |
 *      waiting after a failure       +----> reading, if the stream begins above what was read
 *
 * Logs that no endpoint has are recorded as missing, with the reason. They never count as "no events".
 */
import type { Bus, Producer } from '../../../platform/bus/bus.ts'
import type { Context } from '../../../platform/context/context.ts'
import { isAssayError, RetryableError } from '../../../platform/errors.ts'
import type { AuthorityRow, BlockRef } from '../../../schema/block.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { authorityLogsOf } from '../../../schema/registry/index.ts'
import { encodePast, stamp, topics } from '../../../schema/topics.ts'
import type { Source } from '../../source/source.ts'
import { createPastTopic, type PastTopic } from '../past-topic.ts'
import {
  afterLacking,
  afterRead,
  isComplete,
  type LogState,
  nextStep,
  resumedState,
  withoutUnproved,
  workOf,
} from './plan.ts'
import { firstPublished, readPosition } from './position.ts'
import { type WalkStatus, walkProgress } from './progress.ts'
import type { AuthorityLogReader } from './reader.ts'
import { messagesState } from './state-rows.ts'

export type { WalkStatus } from './progress.ts'

/** The walk of one network, concurrent with its follow loop. A network that requires authority logs is not ready before it ends. */
export type AuthorityWalk = {
  /** Resolves when every log is read as far as endpoints allow, or at shutdown. @throws errors that are not retryable. */
  run: (signal: AbortSignal) => Promise<void>
  status: () => WalkStatus
}

type AuthorityWalkOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  network: Network
  source: Pick<Source, 'finalizedHead' | 'ref'>
  reader: AuthorityLogReader
  bus: Bus
  /** The topic, shared with wallet pasts if these are fetched. @default a topic of its own */
  topic?: PastTopic
  /** Maximum time between two messages with the walk's position, ms. @default 5_000 */
  reportMs?: number
}

const REPORT_MS = 5_000
/** Maximum number of rows per message. The last message has the addresses that they touch. */
const MAX_MESSAGE_ROWS = 2_000
const RETRY_MS = 100
const MAX_RETRY_MS = 30_000
const WAIT_MS = 100

/** A walk over the logs of the network's registry. It is done at once if there are none, or the family has no logs. */
export const createAuthorityWalk = ({
  context,
  network,
  source,
  reader,
  bus,
  topic = createPastTopic(),
  reportMs = REPORT_MS,
}: AuthorityWalkOptions): AuthorityWalk => {
  const { clock, log, metrics } = context
  const info = networkInfo(network)
  const registered = info.dialect === null ? [] : authorityLogsOf(network)
  const progress = walkProgress(context, network)
  const malformed = metrics.counter('assay_authority_malformed_total', 'Malformed logs of authorities', [
    'network',
  ] as const)
  let states: readonly LogState[] = []
  let producer: Producer | undefined
  let reportedAt = 0
  /** Block up to which the last message declares everything read. */
  let publishedTo: number | undefined
  let topicLog = ''
  let failures = 0

  const publish = async (from: number, last: BlockRef, rows: readonly AuthorityRow[], target: number) => {
    const proved = withoutUnproved(states, reader.unprovedFrom())
    const logs = messagesState(network, proved, target, progress.status().leftSeconds ?? 0)
    const pieces = Array.from({ length: Math.max(1, Math.ceil(rows.length / MAX_MESSAGE_ROWS)) }, (_, index) =>
      rows.slice(index * MAX_MESSAGE_ROWS, (index + 1) * MAX_MESSAGE_ROWS),
    )
    const messages = pieces.flatMap((some, index) =>
      encodePast(network, from, last, some, index === pieces.length - 1 ? logs : []),
    )
    const open = producer ?? (await bus.producer({ transactionalId: `${network}-authorities` }))
    producer = open
    await topic.turn(() =>
      open.send([
        { topic: topics.past(network), messages: messages.map((one) => ({ ...stamp(one, topicLog), partition: 0 })) },
      ]),
    )
    reportedAt = clock.now()
    publishedTo = nextStep(proved, target) === undefined ? target : undefined
  }

  const closeProducer = async () => {
    const open = producer
    producer = undefined
    await open?.close().catch(() => undefined)
  }

  const refAt = async (number: number, signal: AbortSignal): Promise<BlockRef> => {
    const found = await source.ref(number, signal)
    if (found) return found
    throw new RetryableError(
      'ASSAY_SOURCE_BLOCK_MISSING',
      `No node of ${network} has block ${number}, although it is below the head. The block is fetched again.`,
    )
  }

  const walkTo = async (target: number, signal: AbortSignal) => {
    for (let step = nextStep(states, target); step && !signal.aborted; step = nextStep(states, target)) {
      progress.working(workOf(states, target), step.from, target)
      const range = await reader.read(step, target, signal)
      failures = 0
      if ('rows' in range) {
        malformed.inc({ network }, range.malformed)
        const before = states
        states = afterRead(states, step, range.to, range.host)
        progress.read(range.logs, workOf(states, target))
        const done = nextStep(states, target) === undefined
        if (range.rows.length === 0 && !done && clock.now() - reportedAt < reportMs) continue
        try {
          await publish(step.from, range.last, range.rows, target)
        } catch (error) {
          states = before
          throw error
        }
        continue
      }
      if ('back' in range) {
        log.warn({ network, from: step.from, back: range.back }, 'reading logs again that a node did not have')
        states = withoutUnproved(states, range.back)
        continue
      }
      const lowest = Math.min(range.lowest, target + 1)
      const reason = `no endpoint has logs of blocks below ${lowest}`
      log.warn({ network, from: step.from, lowest, logs: step.logs.length }, 'logs of authorities are missing')
      states = afterLacking(states, step, lowest, reason)
      if (nextStep(states, target) === undefined) await publish(step.from, await refAt(target, signal), [], target)
    }
  }

  /** Block numbers of the registry are only valid on the real chain. */
  const readStates = async (signal: AbortSignal): Promise<LogState[]> => {
    const known = registered.some(({ since }) => since > 0) && info.genesisHash !== null
    const real = known && (await source.ref(0, signal))?.hash === info.genesisHash
    const position = await readPosition(bus, network)
    topicLog = topic.identity(position.log)
    return registered.map((entry) => {
      const was = position.states.get(entry.authority)
      const log = real ? entry : { ...entry, since: 0 }
      return resumedState(log, was && { since: was.since, from: was.from_block, to: was.to_block })
    })
  }

  /** Reads up to where the stream begins, which is known once it has begun. */
  const walk = async (signal: AbortSignal) => {
    await bus.createTopics([{ topic: topics.past(network), partitions: 1 }])
    await closeProducer()
    producer = await bus.producer({ transactionalId: `${network}-authorities` })
    states = await readStates(signal)
    const { number: finalized } = await source.finalizedHead(signal)
    let first = await firstPublished(bus, network)
    let target = first === undefined ? finalized : first - 1
    for (;;) {
      await walkTo(target, signal)
      while (first === undefined && !signal.aborted) {
        await clock.sleep(WAIT_MS, signal)
        first = await firstPublished(bus, network)
      }
      if (signal.aborted || first === undefined || first - 1 <= target) break
      target = first - 1
    }
    if (signal.aborted) return
    // Published even if nothing was left to read: at a start after the last message, or if the stream begins lower than expected.
    if (publishedTo !== target && target >= 0) await publish(target, await refAt(target, signal), [], target)
    const missing = states.filter((state) => !isComplete(state, target))
    progress.finished(missing.length)
    log.info({ network, logs: states.length, missing: missing.length, to: target }, 'read the logs of authorities')
  }

  return {
    status: progress.status,
    run: async (signal) => {
      if (registered.length === 0) {
        progress.finished(0)
        return
      }
      try {
        while (!signal.aborted) {
          try {
            await walk(signal)
            return
          } catch (error) {
            if (signal.aborted) return
            const code = isAssayError(error) ? error.code : 'unexpected'
            progress.failed(code)
            if (!(error instanceof RetryableError)) throw error
            failures += 1
            log.warn({ network, code, failures, reason: error.message }, 'waiting to read logs of authorities')
            await clock
              .sleep(Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** Math.min(failures, 10)), signal)
              .catch(() => undefined)
          }
        }
      } finally {
        await closeProducer()
      }
    },
  }
}
