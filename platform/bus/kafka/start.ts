/**
 * Starts partitions at the consumer's `position` instead of the group's committed offset. kafkajs can only seek while it
 * is already fetching, so a batch may still come from the committed offset; such a batch is recognised and dropped. If the
 * broker resets a partition (its topic was created again), `position` is asked again.
 */
import type { EachBatchPayload, Consumer as KafkaConsumer } from 'kafkajs'
import type { Clock } from '../../context/clock.ts'
import type { Logger } from '../../context/log.ts'
import { messageOf } from '../../errors.ts'
import type { Bus, ConsumerOptions, Message } from '../bus.ts'

const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 5_000

/** Delivery position of one assigned partition. */
export type Place = {
  /** Messages of a fetched batch that have to be delivered; none if the batch was fetched from another offset. */
  accept: (payload: EachBatchPayload, messages: readonly Message[]) => Promise<readonly Message[]>
  /** Records that everything up to `offset` was delivered. */
  passed: (offset: bigint) => void
}

type Deps = { consumer: KafkaConsumer; clock: Clock; log: Logger } & Pick<Bus, 'offsets' | 'read'> &
  Required<Pick<ConsumerOptions, 'position'>>

/** Tracks the position of a partition, and seeks to it. The signal ends the assignment. */
export const createStart =
  ({ consumer, clock, log, offsets, read, position }: Deps) =>
  (topic: string, partition: number, signal: AbortSignal): Place => {
    let next = 0n
    let delivered = false

    const find = async (): Promise<bigint> => {
      const start = await position(topic, partition)
      if (start !== undefined) return start
      return (await offsets(topic)).find((one) => one.partition === partition)?.first ?? 0n
    }

    const seek = async () => {
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
        signal.throwIfAborted()
        try {
          next = await find()
          signal.throwIfAborted()
          delivered = false
          consumer.seek({ topic, partition, offset: String(next) })
          // Only so that lag is right. If a rebalance loses this commit, the next one corrects it.
          await consumer.commitOffsets([{ topic, partition, offset: String(next) }]).catch(() => undefined)
          return
        } catch (error) {
          signal.throwIfAborted()
          log.warn(
            { topic, partition, pause, error: messageOf(error) },
            'retrying to read the first offset of a partition',
          )
          await clock.sleep(pause, signal)
        }
      }
    }

    let ready = seek()
    ready.catch(() => undefined)

    /** Whether a committed message lies between the position and the fetched batch. */
    const skips = async (first: bigint): Promise<boolean> => {
      for await (const { offset } of read(topic, partition, next)) return offset < first
      return false
    }

    return {
      accept: async ({ isStale }, messages) => {
        const before = ready
        await ready.catch(() => undefined)
        const first = messages[0]?.offset
        if (signal.aborted || isStale() || before !== ready || first === undefined) return []
        if (delivered && first < next) {
          ready = seek()
          ready.catch(() => undefined)
          return []
        }
        if (!delivered && first > next && (await skips(first))) return []
        return messages.filter(({ offset }) => offset >= next)
      },
      passed: (offset) => {
        delivered = true
        next = offset + 1n
      },
    }
  }
