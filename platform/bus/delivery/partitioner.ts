import type { OutgoingMessage } from '../bus.ts'

/** FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
const fnv1a = (text: string): number => {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/**
 * Chooses the partition of a message, from 0. A partition that the message names is returned unchecked: the caller
 * refuses one that does not exist.
 */
export type Partitioner = (message: Pick<OutgoingMessage, 'key' | 'partition'>, partitions: number) => number

/** Partition of a message: the one it names, else that of its key, else the next in turn. Same for every bus. */
export const createPartitioner = (): Partitioner => {
  let turn = 0
  return ({ key, partition }, partitions) => {
    if (partition !== undefined) return partition
    return (key === undefined ? turn++ : fnv1a(key)) % partitions
  }
}
