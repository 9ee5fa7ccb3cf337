/** Messages of topic `rescore.<network>`, which request fresh records. */
import type { OutgoingMessage } from '../../platform/bus/bus.ts'
import { createPartitioner } from '../../platform/bus/delivery/partitioner.ts'
import { encodeRescore, RESCORE_PARTITIONS } from '../../schema/topics.ts'

/** Encodes addresses as messages. Each address goes to the partition of its hash, so that one consumer scores it. */
export const rescoreMessages = (addresses: readonly string[], headers?: Record<string, string>): OutgoingMessage[] => {
  const partitionOf = createPartitioner()
  const partitions = Array.from({ length: RESCORE_PARTITIONS }, (): string[] => [])
  for (const address of addresses) partitions[partitionOf({ key: address }, RESCORE_PARTITIONS)]?.push(address)
  return partitions.flatMap((own, partition) =>
    encodeRescore(own).map((value) => ({ value, partition, ...(headers && { headers }) })),
  )
}
