/**
 * Stream scoring: topic `rescore.<network>` in, records out. Each batch of queued addresses is deduplicated, scored, stored,
 * published on `records` and committed, in this order. A crash at any point scores some wallets again, which is harmless. The
 * queue holds only addresses; scoring reads the current state of the tables. Messages that cannot be decoded go to `dlq`.
 */
import type { Batch, Bus, Message } from '../../platform/bus/bus.ts'
import { deadLetter, placeOf } from '../../platform/bus/delivery/dead-letter.ts'
import type { Context } from '../../platform/context/context.ts'
import { messageOf } from '../../platform/errors.ts'
import type { Store } from '../../platform/store/store.ts'
import { traced, traceHeaders, tracesOf } from '../../platform/tracing/tracing.ts'
import type { Network } from '../../schema/networks.ts'
import { decodeRescore, RESCORE_PARTITIONS, topics } from '../../schema/topics.ts'
import { createBatches } from '../ledger/reading/batches.ts'
import { recordMessages, saveRecords } from '../scoring/stored.ts'
import type { Verdict } from '../scoring/verdict.ts'
import { requeueAfterHistory } from './after-history.ts'
import { requeueAfterLogs } from './after-logs.ts'
import { createGather } from './gather.ts'
import { createQueueReceivers } from './receivers.ts'
import { type Rescore, WALLETS_AT_ONCE } from './rescore.ts'

/** Bytes per fetch: about ten thousand addresses. */
const MAX_BYTES = 1_000_000

/** Consumer group that scores the rescore queue of a network. */
export const scoringGroupOf = (network: Network): string => `scoring.${network}`

/** Running stream scoring. It stops by itself only on an error, with which `done` rejects. */
export type Scoring = {
  /** Resolves when the consumers have stopped. Rejects with the error of the first that failed. */
  done: Promise<void>
  close: () => Promise<void>
}

/** Dependencies of stream scoring. The bus delivers addresses and takes records. */
export type ScoringDeps = {
  context: Pick<Context, 'log' | 'metrics' | 'clock'>
  networks: readonly Network[]
  store: Store
  bus: Bus
  rescore: Rescore
  /** Called with verdicts after they are stored. */
  judged?: ((network: Network, verdicts: readonly Verdict[]) => Promise<unknown>) | undefined
}

/** Creates the topics, then consumes until closed. */
export const createScoring = async ({
  context,
  networks,
  store,
  bus,
  rescore,
  judged,
}: ScoringDeps): Promise<Scoring> => {
  const { log, metrics, clock } = context
  const lag = metrics.gauge('assay_scoring_batch_age_seconds', 'Age of the oldest queued address of the batch', [
    'network',
  ])
  const scoredTotal = metrics.counter('assay_scored_records_total', 'Records stored by stream scoring', ['network'])
  await bus.createTopics([
    ...networks.map((network) => ({ topic: topics.rescore(network), partitions: RESCORE_PARTITIONS })),
    { topic: topics.records, partitions: 1, compacted: true },
    { topic: topics.dlq, partitions: 1 },
  ])
  const producer = await bus.producer()
  const queueReceivers = createQueueReceivers({ store, producer })

  const batches = createBatches(WALLETS_AT_ONCE)
  const gather = createGather(clock)

  const addressesOf = async (network: Network, message: Message): Promise<string[]> => {
    try {
      return decodeRescore(message.value)
    } catch (error) {
      const reason = messageOf(error)
      const letter = deadLetter(message, reason, placeOf(message))
      await producer.send([{ topic: topics.dlq, messages: [letter] }])
      log.error({ network, message: placeOf(message), reason }, 'set a message aside')
      return []
    }
  }

  const handle = (network: Network, batch: Batch): Promise<void> =>
    traced(
      'score wallets',
      { kind: 'consumer', attributes: { 'assay.network': network }, parents: tracesOf(batch.messages) },
      (trace) => handleTraced(network, batch, trace),
    )

  const handleTraced = async (network: Network, batch: Batch, trace: string | undefined): Promise<void> => {
    const first = batch.messages[0]
    const last = batch.messages.at(-1)
    if (!first || !last) return
    const queued = new Set<string>()
    for (const message of batch.messages) {
      for (const address of await addressesOf(network, message)) queued.add(address)
    }
    const addresses = [...queued]
    const score = async (some: readonly string[]) => {
      batch.signal.throwIfAborted()
      // A batch that is overtaken twice is split; a single wallet has the patience of a normal read.
      const patience = some.length > 1 ? { repeatMs: 0 } : {}
      const scored = await rescore.rescore(network, some, clock.now(), patience)
      // Receivers are queued before the record is stored as well: after a crash in between, the change would no longer be seen.
      await queueReceivers(network, scored)
      const records = await saveRecords(store, scored)
      await queueReceivers(network, scored)
      await judged?.(network, scored)
      if (records.length > 0)
        await producer.send([{ topic: topics.records, messages: recordMessages(records, traceHeaders(trace)) }])
      scoredTotal.inc({ network }, records.length)
      await batch.heartbeat()
    }
    await gather(network, addresses, (wallets) => batches.each(network, wallets, score))
    if (batch.signal.aborted) return
    lag.set({ network }, (clock.now() - first.timestamp) / 1_000)
    await batch.commit(last.offset + 1n)
    log.debug({ network, messages: batch.messages.length, wallets: addresses.length }, 'scored queued wallets')
  }

  const consumers = await Promise.all(
    networks.map(async (network) => ({
      network,
      consumer: await bus.consumer({
        groupId: scoringGroupOf(network),
        topics: [topics.rescore(network)],
        maxBytes: MAX_BYTES,
      }),
    })),
  )
  const ended = new AbortController()
  const running = Promise.all([
    ...consumers.map(({ network, consumer }) => consumer.run((batch) => handle(network, batch))),
    ...networks.map((network) =>
      requeueAfterLogs({ context, store, bus, producer, groupId: scoringGroupOf(network), network }, ended.signal),
    ),
    ...networks.map((network) => requeueAfterHistory({ context, store, producer, network }, ended.signal)),
  ])
  return {
    done: running.then(() => undefined),
    close: async () => {
      ended.abort()
      await Promise.all(consumers.map(({ consumer }) => consumer.close()))
      await running.catch(() => undefined)
      await producer.close()
    },
  }
}
