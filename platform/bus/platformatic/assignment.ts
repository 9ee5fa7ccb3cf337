/**
 * Assigns partitions to the members of a group: round robin, compatible with kafkajs's assigner of the same name. Members
 * of both clients can thus share a group while processes switch from one to the other.
 */
import type { Writer as WriterType } from '@platformatic/kafka'
import { Reader, Writer } from '@platformatic/kafka'

/** Protocol name that members offer to the group. All members have to offer the same one. */
export const ASSIGNER = 'RoundRobinAssigner'
const VERSION = 1

/** A partition assigned to a member. */
export type Owned = { topic: string; partition: number }
type Partitions = { topic: string; partitions: number[] }

const plain = (writer: WriterType, text: string) => writer.appendString(text, false)

/** Encodes a member's subscription (protocol type `consumer`). */
export const encodeSubscription = (topics: readonly string[]): Buffer =>
  Writer.create()
    .appendInt16(VERSION)
    .appendArray([...topics], plain, false, false)
    .appendBytes(Buffer.alloc(0), false).buffer

/** Topics of a subscription. The user data and owned partitions that follow are ignored. */
export const decodeSubscription = (bytes: Buffer): string[] => {
  const reader = Reader.from(bytes)
  reader.readInt16()
  return reader.readArray((each) => each.readString(false), false, false)
}

/** Encodes a member's share, as the leader sends it. */
export const encodeAssignment = (owned: readonly Owned[]): Buffer => {
  const topics = new Map<string, number[]>()
  for (const { topic, partition } of owned) topics.set(topic, [...(topics.get(topic) ?? []), partition])
  const entries: Partitions[] = [...topics].map(([topic, partitions]) => ({ topic, partitions }))
  return Writer.create()
    .appendInt16(VERSION)
    .appendArray(
      entries,
      (writer, { topic, partitions }) =>
        plain(writer, topic).appendArray(partitions, (each, partition) => each.appendInt32(partition), false, false),
      false,
      false,
    )
    .appendBytes(Buffer.alloc(0), false).buffer
}

/** Decodes a member's share, which is empty bytes when it got no partition. */
export const decodeAssignment = (bytes: Buffer): Owned[] => {
  if (bytes.length === 0) return []
  const reader = Reader.from(bytes)
  reader.readInt16()
  const topics = reader.readArray(
    (each) => {
      const topic = each.readString(false)
      return { topic, partitions: each.readArray((one) => one.readInt32(), false, false) }
    },
    false,
    false,
  )
  return topics.flatMap(({ topic, partitions }) => partitions.map((partition) => ({ topic, partition })))
}

/** Deals the partitions of each topic in turn to the members subscribed to it. */
export const assign = (
  subscriptions: ReadonlyMap<string, readonly string[]>,
  counts: ReadonlyMap<string, number>,
): Map<string, Owned[]> => {
  const members = [...subscriptions.keys()].sort()
  const shares = new Map<string, Owned[]>(members.map((member) => [member, []]))
  let turn = 0
  for (const [topic, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const takers = members.filter((member) => subscriptions.get(member)?.includes(topic))
    for (let partition = 0; partition < count && takers.length > 0; partition += 1) {
      const taker = takers[turn++ % takers.length]
      if (taker !== undefined) shares.get(taker)?.push({ topic, partition })
    }
  }
  return shares
}
