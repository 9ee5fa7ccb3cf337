import type { Clock } from '../context/clock.ts'
import type { Logger } from '../context/log.ts'
import type { Bus, Producer } from './bus.ts'
import { createPartitioner } from './delivery/partitioner.ts'
import { createConsumer } from './embedded/consumer.ts'
import { openDatabase } from './embedded/database.ts'
import { createLog } from './embedded/log.ts'
import { createWake } from './embedded/wake.ts'
import { closed } from './errors.ts'

/** Bytes that `read` takes from the log at once. */
const READ_BYTES = 4_000_000

const isLimit = (limit: number | undefined): limit is number => Number.isFinite(limit)

type EmbeddedBusOptions = {
  /** Folder of the log. All threads of a process that open it share one bus. */
  path: string
  /** How long a consumer keeps its partitions after it stops renewing, ms. @default 15_000 */
  leaseMs?: number
  /** How often consumers poll for messages of other processes, which cannot notify them, ms. @default 3_000 */
  pollMs?: number
}

/**
 * A bus in a folder: a durable log on LMDB for the threads of one machine. One send is one LMDB transaction, flushed
 * to disk before it resolves.
 * @throws OperatorError ASSAY_BUS_PATH when the folder cannot be used.
 */
export const openEmbeddedBus = async (
  { clock, log: logger }: { clock: Clock; log: Logger },
  { path, leaseMs = 15_000, pollMs = 3_000 }: EmbeddedBusOptions,
): Promise<Bus> => {
  const db = await openDatabase(path)
  const log = createLog(db, clock)
  const wake = createWake(db.path)
  const open = new Set<{ close: () => Promise<void> }>()
  let ended = false

  const keep = <T extends { close: () => Promise<void> }>(part: T): T => {
    const close = part.close
    part.close = async () => {
      open.delete(part)
      await close()
    }
    open.add(part)
    return part
  }
  const alive = () => {
    if (ended) throw closed('bus')
    db.refresh()
  }

  return {
    createTopics: async (specs) => {
      alive()
      await log.createTopics(specs)
    },
    describeTopics: async (topics) => {
      alive()
      return topics.map((topic) => {
        const { partitions, compacted, retentionMs, retentionBytes } = log.topic(topic)
        const limits = {
          ...(isLimit(retentionMs) && { retentionMs }),
          ...(isLimit(retentionBytes) && { retentionBytes }),
        }
        return { topic, partitions, compacted, deletes: !compacted, ...limits }
      })
    },
    producer: async ({ transactionalId } = {}) => {
      alive()
      const identity = transactionalId === undefined ? undefined : await log.identify(transactionalId)
      const partitioner = createPartitioner()
      const sending = new Set<Promise<void>>()
      let finished = false
      const producer: Producer = {
        send: async (sends) => {
          if (finished) throw closed('producer')
          const sent = log.append(sends, partitioner, identity)
          sending.add(sent)
          try {
            await sent
          } finally {
            sending.delete(sent)
          }
          wake.notify(new Set(sends.map(({ topic }) => topic)))
        },
        close: async () => {
          finished = true
          await Promise.allSettled(sending)
        },
      }
      return keep(producer)
    },
    consumer: async (options) => {
      alive()
      for (const topic of options.topics) log.topic(topic)
      return keep(createConsumer({ db, log, wake, clock, logger }, options, { leaseMs, pollMs }))
    },
    offsets: async (topic) => {
      alive()
      return log.offsets(topic)
    },
    read: async function* (topic, partition, from) {
      alive()
      const end = log.offsets(topic)[partition]?.next ?? 0n
      for (let at = from; at < end; ) {
        alive()
        const messages = log.fetch(topic, partition, Number(at), READ_BYTES, Number(end))
        const last = messages.at(-1)
        if (!last) return
        yield* messages
        at = last.offset + 1n
      }
    },
    lag: async (groupId, topic) => {
      alive()
      const { id } = log.topic(topic)
      return log.offsets(topic).reduce((total, { partition, first, next }) => {
        const done = BigInt(db.committed.get([groupId, id, partition]) ?? 0)
        return total + next - (done > first ? done : first)
      }, 0n)
    },
    healthy: async () => {
      if (ended) return false
      db.topics.getKeysCount({ limit: 1 })
      return true
    },
    close: async () => {
      if (ended) return
      ended = true
      await Promise.all([...open].map((part) => part.close()))
      wake.close()
      await db.close()
    },
  }
}
