/**
 * Fetches the pasts of wallets requested on topic `pasts.<network>`, and publishes them on `past.<network>`. A request is
 * committed after its past is published, so that a crash repeats it; repeated rows replace themselves.
 *
 * Only final blocks are fetched. They never change, so no past ever has to be undone.
 */
import type { Batch, Bus, Producer } from '../../../platform/bus/bus.ts'
import { deadLetter, placeOf } from '../../../platform/bus/delivery/dead-letter.ts'
import type { Context } from '../../../platform/context/context.ts'
import { messageOf, RetryableError } from '../../../platform/errors.ts'
import { type BlockRef, emptyRows } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import { decodePastRequest, encodeWalletPast, type PastRequest, stamp, topics } from '../../../schema/topics.ts'
import type { Source } from '../../source/source.ts'
import { firstPublished, readPosition } from '../authorities/position.ts'
import type { PastTopic } from '../past-topic.ts'
import { type FetchedPast, type FetchPast, ONLY_POOLS } from './fetch.ts'

/** The consumer of a network's requests for pasts. */
export type PastWorker = {
  /** Works until the signal aborts. */
  run: (signal: AbortSignal) => Promise<void>
}

type PastWorkerOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  network: Network
  bus: Bus
  source: Pick<Source, 'finalizedHead' | 'ref'>
  fetchPast: FetchPast
  topic: PastTopic
  /** Time limit of one wallet, ms. @default 600_000 */
  deadlineMs?: number
}

const DEADLINE_MS = 600_000
/** Number of wallets fetched at the same time. */
const CONCURRENCY = 4
/** Bytes of requests held at a time: a few dozen requests. */
const MAX_BYTES = 8_000
const ATTEMPTS = 3
const RETRY_MS = 1_000
const WAIT_MS = 200

/** A worker that can run again after a failure. Unreadable requests go to the dead letters. */
export const createPastWorker = ({
  context: { clock, log, metrics },
  network,
  bus,
  source,
  fetchPast,
  topic,
  deadlineMs = DEADLINE_MS,
}: PastWorkerOptions): PastWorker => {
  const wallets = metrics.counter('assay_past_wallets_total', 'Requested pasts of wallets, by outcome', [
    'network',
    'outcome',
  ] as const)
  const seconds = metrics.histogram('assay_past_seconds', 'Time to fetch the past of a wallet', ['network'])
  const waiting = metrics.gauge('assay_past_waiting_wallets', 'Wallets whose pasts are being fetched', ['network'])
  let producer: Producer | undefined

  const open = async (): Promise<Producer> => {
    producer ??= await bus.producer({ transactionalId: `${network}-pasts` })
    return producer
  }

  const publish = ({ to, rows, state }: FetchedPast) =>
    topic.turn(async () => {
      const own = await open()
      const log = topic.identity((await readPosition(bus, network)).log)
      const messages = encodeWalletPast(network, to, rows, state).map((one) => ({ ...stamp(one, log), partition: 0 }))
      try {
        await own.send([{ topic: topics.past(network), messages }])
      } catch (error) {
        // A transactional producer is unusable after a failure.
        producer = undefined
        await own.close().catch(() => undefined)
        throw error
      }
    })

  /** Last block of pasts, once it is known and final; `undefined` if the index begins with the chain. */
  const lastOfPast = async (signal: AbortSignal): Promise<BlockRef | undefined> => {
    for (;;) {
      const first = await firstPublished(bus, network)
      if (first !== undefined && first <= 1) return undefined
      const final = first === undefined ? undefined : (await source.finalizedHead(signal)).number
      const ref =
        first !== undefined && final !== undefined && final >= first - 1 && (await source.ref(first - 1, signal))
      if (ref) return ref
      await clock.sleep(WAIT_MS, signal)
    }
  }

  /** What is known of a wallet when the search has to end. */
  const givenUp = (
    { address: wallet, pools }: PastRequest,
    to: BlockRef,
    part: FetchedPast | undefined,
    why: string,
  ): FetchedPast => {
    const nothing = { sent: 0, native: 0, tokens: 0, complete: 0, transactions: 0, blocks: 0, sources: '' } as const
    const state = part?.state ?? { network, address: wallet, to_block: to.number, ...nothing, why: '', pools_why: '' }
    const whys = [state.why, pools ? ONLY_POOLS : why].filter((one) => one !== '').join('; ')
    return {
      to,
      rows: part?.rows ?? emptyRows(),
      state: { ...state, done: 1, why: whys, pools_why: pools ? why : state.pools_why, version: clock.now() },
    }
  }

  const fetchOne = async (request: PastRequest, to: BlockRef, signal: AbortSignal): Promise<FetchedPast> => {
    const { address: wallet } = request
    const ended = new AbortController()
    const bounded = AbortSignal.any([signal, ended.signal])
    let part: FetchedPast | undefined
    const late = clock.sleep(deadlineMs, bounded).then(
      () =>
        ended.abort(
          new RetryableError(
            'ASSAY_SOURCE_PAST_LATE',
            `The history of a wallet on ${network} was not fetched within ${deadlineMs} ms. The part that was found is kept. Request the wallet again, or add an endpoint without a limit on the range of eth_getLogs.`,
          ),
        ),
      () => undefined,
    )
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await fetchPast(request, to, bounded, async (some) => {
            part = some
            await publish(some)
          })
        } catch (error) {
          signal.throwIfAborted()
          if (ended.signal.aborted)
            return givenUp(request, to, part, `not finished within ${Math.round(deadlineMs / 1_000)} s`)
          if (!(error instanceof RetryableError)) {
            log.error({ network, wallet, err: error }, 'failed to fetch the past of a wallet')
            return givenUp(request, to, part, 'fetching it failed')
          }
          log.warn({ network, wallet, attempt, reason: messageOf(error) }, 'retrying the past of a wallet')
          if (attempt >= ATTEMPTS) return givenUp(request, to, part, 'endpoints did not answer')
          await clock.sleep(RETRY_MS * 2 ** attempt, bounded).catch(() => undefined)
        }
      }
    } finally {
      ended.abort()
      await late
    }
  }

  const fetchAndPublish = async (request: PastRequest, signal: AbortSignal) => {
    const to = await lastOfPast(signal)
    if (to === undefined) return
    const end = seconds.startTimer({ network })
    const past = await fetchOne(request, to, signal)
    await publish(past)
    end()
    const { complete, sent, native, tokens, blocks, sources, why } = past.state
    wallets.inc({ network, outcome: complete ? 'whole' : 'partial' })
    const wallet = request.address
    log.info({ network, wallet, complete, sent, native, tokens, blocks, sources, why }, 'fetched the past of a wallet')
  }

  const handle = async (batch: Batch, ended: AbortSignal) => {
    const signal = AbortSignal.any([ended, batch.signal])
    const asked = new Map<string, PastRequest>()
    for (const message of batch.messages) {
      try {
        const request = decodePastRequest(message.value)
        asked.set(`${request.address} ${request.pools ?? false}`, request)
      } catch (error) {
        const own = await bus.producer()
        try {
          await own.send([{ topic: topics.dlq, messages: [deadLetter(message, messageOf(error), placeOf(message))] }])
        } finally {
          await own.close()
        }
      }
    }
    const left = [...asked.values()]
    let unpublished = left.length
    waiting.set({ network }, unpublished)
    const work = async () => {
      for (let request = left.shift(); request !== undefined; request = left.shift()) {
        await fetchAndPublish(request, signal)
        unpublished -= 1
        waiting.set({ network }, unpublished)
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
    const last = batch.messages.at(-1)
    if (last) await batch.commit(last.offset + 1n)
  }

  return {
    run: async (signal) => {
      await bus.createTopics([
        { topic: topics.past(network), partitions: 1 },
        { topic: topics.pasts(network), partitions: 1 },
        { topic: topics.dlq, partitions: 1 },
      ])
      const consumer = await bus.consumer({
        groupId: `pasts.${network}`,
        topics: [topics.pasts(network)],
        maxBytes: MAX_BYTES,
      })
      const stop = () => void consumer.close().catch(() => undefined)
      signal.addEventListener('abort', stop, { once: true })
      try {
        if (!signal.aborted) await consumer.run((batch) => handle(batch, signal))
      } finally {
        signal.removeEventListener('abort', stop)
        await consumer.close()
        await producer?.close().catch(() => undefined)
      }
    },
  }
}
