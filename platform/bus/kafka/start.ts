/**
 * Begins partitions where the consumer says instead of where the group has committed. kafkajs seeks only while it already
 * fetches, so a batch may have been fetched from the committed offset before the seek took effect; it is recognised and
 * dropped. When the broker has set a partition back by itself (its topic was created again), the caller is asked anew.
 */
import type { EachBatchPayload, Consumer as KafkaConsumer } from 'kafkajs'
import type { Clock } from '../../context/clock.ts'
import type { Logger } from '../../context/log.ts'
import { messageOf } from '../../errors.ts'
import type { Bus, ConsumerOptions, Message } from '../bus.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

/** Where one partition of one assignment stands. */
export type Place = {
  /** Messages of a fetched batch that are to be delivered; none when the batch was fetched from elsewhere. */
  accept: (payload: EachBatchPayload, messages: readonly Message[]) => Promise<readonly Message[]>
  /** Everything up to `offset` was delivered. */
  passed: (offset: bigint) => void
}

type Deps = { consumer: KafkaConsumer; clock: Clock; log: Logger } & Pick<Bus, 'offsets' | 'read'> &
  Required<Pick<ConsumerOptions, 'position'>>

/** Makes the place of a partition, and seeks there. The signal ends the assignment. */
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
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
        signal.throwIfAborted()
        try {
          next = await find()
          signal.throwIfAborted()
          delivered = false
          consumer.seek({ topic, partition, offset: String(next) })
          // For lag alone: the next commit puts right what a rebalance makes of this one.
          await consumer.commitOffsets([{ topic, partition, offset: String(next) }]).catch(() => undefined)
          return
        } catch (error) {
          signal.throwIfAborted()
          log.warn({ topic, partition, pause, error: messageOf(error) }, 'asking again where a partition begins')
          await clock.sleep(pause, signal)
        }
      }
    }

    let ready = seek()
    ready.catch(() => undefined)

    /** Whether a committed message lies between the place and what was fetched. */
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
