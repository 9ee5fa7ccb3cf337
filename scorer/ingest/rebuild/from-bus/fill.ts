/** An ingest of the next epoch, which reads a network's topics from their beginning into another database. */
import type { Bus, PartitionOffsets } from '../../../../platform/bus/bus.ts'
import type { Context } from '../../../../platform/context/context.ts'
import { createLifecycle } from '../../../../platform/context/lifecycle.ts'
import { createMetrics } from '../../../../platform/context/metrics.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import { topics } from '../../../../schema/topics.ts'
import { createChunkLedger, type LatestChunk } from '../../chunks/chunks.ts'
import { createIngest } from '../../ingest.ts'
import type { OnStep } from '../../steps.ts'

const LOOK_MS = 250

/** A bus that drops rescore messages (the tables are not in use yet) and dead letters (they were reported before). */
const withoutRescore = (bus: Bus, network: Network): Bus => ({
  ...bus,
  producer: async (options) => {
    const producer = await bus.producer(options)
    return {
      ...producer,
      send: async (sends) => {
        const kept = sends.filter(({ topic }) => topic !== topics.rescore(network) && topic !== topics.dlq)
        if (kept.length > 0) await producer.send(kept)
      },
    }
  },
})

type Place = PartitionOffsets & { topic: string }

/** An ingest that fills new tables. */
export type Fill = {
  /**
   * Waits until everything that was on the topics at the call is in the tables. Calls `looked` repeatedly.
   * @returns false if the signal aborted first
   * @throws the error that stopped the ingest
   */
  caughtUp: (signal: AbortSignal, looked: (done: number, all: number) => Promise<void>) => Promise<boolean>
  close: () => Promise<void>
}

/** Starts immediately, in its own consumer group. Queues nothing for scoring and no dead letters: the ingest in use did both. */
export const startFill = (
  { context, bus, draft, onStep }: { context: Context; bus: Bus; draft: Store; onStep: OnStep },
  network: Network,
  { epoch, group }: { epoch: number; group: string },
): Fill => {
  const ledger = createChunkLedger(draft, epoch)
  const lifecycle = createLifecycle()
  const ingest = createIngest({
    context: { ...context, metrics: createMetrics(), lifecycle },
    network,
    store: draft,
    bus: withoutRescore(bus, network),
    options: { group, epoch, past: false, minIntervalMs: 0, moveAfterMs: 0, onStep },
  })
  let failure: { error: unknown } | undefined
  const running = ingest.run().catch((error: unknown) => {
    failure = { error }
  })
  const watched = [topics.history(network), topics.head(network)]
  const placesOf = async (): Promise<Place[]> =>
    (
      await Promise.all(
        watched.map(async (topic) => (await bus.offsets(topic)).map((offsets) => ({ topic, ...offsets }))),
      )
    ).flat()

  /** The first offset that is not in the tables. Committed offsets may stay behind it. */
  const reachedIn = (chunks: readonly LatestChunk[], { topic, partition, first }: Place): bigint => {
    const ours = chunks.filter((chunk) => chunk.topic === topic)
    const latest = ours.find((chunk) => chunk.partition === partition && chunk.log === ours[0]?.log)
    return latest ? (latest.done ? latest.last + 1n : latest.first) : first
  }
  /** Whether there are messages between the offsets, other than transaction markers. */
  const anyBetween = async ({ topic, partition, next }: Place, from: bigint): Promise<boolean> => {
    if (from >= next) return false
    for await (const { offset } of bus.read(topic, partition, from)) return offset < next
    return false
  }

  return {
    caughtUp: async (signal, looked) => {
      const goals = await placesOf()
      const all = goals.reduce((sum, { first, next }) => sum + next - first, 0n)
      for (;;) {
        if (failure) throw failure.error
        if (signal.aborted) return false
        let done = 0n
        let left = false
        const chunks = await ledger.newest(watched)
        for (const goal of goals) {
          const reached = reachedIn(chunks, goal)
          left ||= await anyBetween(goal, reached)
          const ahead = goal.next - reached
          done += goal.next - goal.first - (ahead > 0n ? ahead : 0n)
        }
        await looked(Number(left ? done : all), Number(all))
        if (!left) return true
        await context.clock.sleep(LOOK_MS)
      }
    },
    close: async () => {
      await lifecycle.close()
      await ingest.close()
      await running
    },
  }
}
