import { isAssayError } from '../../errors.ts'
import type { OutgoingMessage, Producer, Send } from '../bus.ts'
import { closed, rejected, unavailable } from '../errors.ts'
import { checkSize, MAX_RECORD_BYTES, runsOf } from './limits.ts'
import { createPartitioner } from './partitioner.ts'

/** Waiting calls are sent together, up to this many bytes. Each is still published whole or not at all. */
const GROUP_BYTES = 8_000_000

/** Messages of one partition, in order. */
export type Place = { topic: string; partition: number; messages: OutgoingMessage[] }
type Waiting = { places: Place[]; bytes: number; resolve: () => void; reject: (error: unknown) => void }

/** A client's connection for publishing, replaced after each failure. */
export type Publisher = {
  /** Publishes round after round, in one transaction where the producer is transactional. */
  publish: (rounds: readonly Place[][]) => Promise<void>
  close: () => Promise<void>
}

type SenderDeps = {
  /** Opens a publisher. With a transactional id, it fences earlier ones and settles their open transactions. */
  open: () => Promise<Publisher>
  /** @throws OperatorError ASSAY_BUS_TOPIC_UNKNOWN */
  partitionsOf: (topic: string) => Promise<number>
  transactional: boolean
}

/** Rounds of produce requests: brokers take about 1 MB per partition and request, so the rest follows in later rounds. */
const roundsOf = (waiting: readonly Waiting[]): Place[][] => {
  const merged = new Map<string, Place>()
  for (const { topic, partition, messages } of waiting.flatMap(({ places }) => places)) {
    const name = `${topic}/${partition}`
    const place = merged.get(name) ?? { topic, partition, messages: [] }
    place.messages.push(...messages)
    merged.set(name, place)
  }
  const rounds: Place[][] = []
  for (const { topic, partition, messages } of merged.values())
    for (const [index, run] of runsOf(messages, MAX_RECORD_BYTES).entries()) {
      rounds[index] ??= []
      rounds[index].push({ topic, partition, messages: run })
    }
  return rounds
}

/**
 * The part of producers that all Kafka clients share: checks, partitions, merging of waiting calls, and failures. Unless
 * the broker refused the message itself, a failed publish ends a transactional producer: continuing under the same id
 * without asking could fence a newer one. A producer without an id gets a new publisher, because a broker may have
 * written the request after all, and would drop messages under sequence numbers it has seen.
 */
export const openSender = async ({ open, partitionsOf, transactional }: SenderDeps): Promise<Producer> => {
  const partitioner = createPartitioner()
  const waiting: Waiting[] = []
  let current: Publisher | undefined = await open()
  let broken: Error | undefined
  let working: Promise<void> | undefined
  let finished = false

  const prepare = async (sends: readonly Send[]): Promise<{ places: Place[]; bytes: number }> => {
    const places: Place[] = []
    let bytes = 0
    for (const { topic, messages } of sends) {
      const count = await partitionsOf(topic)
      const byPartition = new Map<number, OutgoingMessage[]>()
      for (const message of messages) {
        bytes += checkSize(topic, message)
        const partition = partitioner(message, count)
        if (partition < 0 || partition >= count)
          throw rejected(topic, `it has no partition ${partition}, only ${count}`)
        const list = byPartition.get(partition)
        if (list) list.push(message)
        else byPartition.set(partition, [message])
      }
      for (const [partition, list] of byPartition) places.push({ topic, partition, messages: list })
    }
    return { places, bytes }
  }

  const takeGroup = (): Waiting[] => {
    let bytes = 0
    let count = 0
    for (const each of waiting) {
      if (count > 0 && bytes + each.bytes > GROUP_BYTES) break
      bytes += each.bytes
      count += 1
    }
    return waiting.splice(0, count)
  }

  const giveUp = async (error: Error) => {
    const failed = current
    current = undefined
    if (transactional) broken = error
    await failed?.close().catch(() => {})
  }

  const drain = async () => {
    for (let group = takeGroup(); group.length > 0; group = takeGroup()) {
      try {
        if (broken) throw broken
        current ??= await open()
        await current.publish(roundsOf(group))
        for (const { resolve } of group) resolve()
      } catch (cause) {
        const error = isAssayError(cause) ? cause : unavailable('publish', cause)
        if (!broken && error.name !== 'BugError') await giveUp(error)
        for (const { reject } of group) reject(error)
      }
    }
    working = undefined
  }

  let order: Promise<unknown> = Promise.resolve()
  return {
    send: async (sends) => {
      if (finished) throw closed('producer')
      const prepared = order.then(() => prepare(sends))
      order = prepared.catch(() => {})
      const { places, bytes } = await prepared
      if (places.length === 0) return
      if (broken) throw broken.name === 'RetryableError' ? unavailable('publish with this producer', broken) : broken
      await new Promise<void>((resolve, reject) => {
        waiting.push({ places, bytes, resolve, reject })
        working ??= drain()
      })
    },
    close: async () => {
      if (finished) return
      finished = true
      await order
      await working
      await current?.close().catch(() => {})
    },
  }
}
