import { ListOffsetTimestamps, listOffsetsV6, offsetFetchV8 } from '@platformatic/kafka'
import type { PartitionOffsets } from '../bus.ts'
import type { Cluster } from './cluster.ts'

/** Isolation level that includes open transactions in `next`. */
const READ_UNCOMMITTED = 0

const listOffset = async (cluster: Cluster, topic: string, partition: number, timestamp: bigint): Promise<bigint> => {
  const link = await cluster.shared.to(await cluster.leaderOf(topic, partition))
  const places = [{ partitionIndex: partition, currentLeaderEpoch: -1, timestamp }]
  const { topics } = await link.ask(listOffsetsV6.api, [-1, READ_UNCOMMITTED, [{ name: topic, partitions: places }]])
  const found = topics[0]?.partitions[0]
  if (!found) throw new Error('the broker answered without the partition')
  return found.offset
}

/** Offset of the oldest message of a partition. */
export const firstOffset = (cluster: Cluster, topic: string, partition: number): Promise<bigint> =>
  listOffset(cluster, topic, partition, ListOffsetTimestamps.EARLIEST)

/** First and next offset of every partition of a topic. */
export const offsetsOf = async (cluster: Cluster, topic: string): Promise<PartitionOffsets[]> => {
  const count = await cluster.partitionsOf(topic)
  return cluster.attempt({ action: 'fetch offsets', topic }, () =>
    Promise.all(
      Array.from({ length: count }, async (_, partition) => ({
        partition,
        first: await firstOffset(cluster, topic, partition),
        next: await listOffset(cluster, topic, partition, ListOffsetTimestamps.LATEST),
      })),
    ),
  )
}

/** A group's committed offsets of a topic; partitions without one are absent. */
export const committedOf = async (
  cluster: Cluster,
  groupId: string,
  topic: string,
  partitions: readonly number[],
): Promise<Map<number, bigint>> => {
  const link = await cluster.shared.to(await cluster.coordinatorOf('GROUP', groupId))
  const topics = [{ name: topic, partitionIndexes: [...partitions] }]
  const { groups } = await link.ask(offsetFetchV8.api, [[{ groupId, memberEpoch: -1, topics }], false])
  const found = groups[0]?.topics[0]?.partitions ?? []
  return new Map(
    found
      .filter(({ committedOffset }) => committedOffset >= 0n)
      .map(({ partitionIndex, committedOffset }) => [partitionIndex, committedOffset]),
  )
}
