import type { OutgoingMessage } from '../bus.ts'

/** FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
const fnv1a = (text: string): number => {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** Chooses the partition of a message, from 0. A partition named by the message is returned unchecked. */
export type Partitioner = (message: Pick<OutgoingMessage, 'key' | 'partition'>, partitions: number) => number

/** Chooses the partition that the message names, else that of its key, else the next in turn. The same on every bus. */
export const createPartitioner = (): Partitioner => {
  let turn = 0
  return ({ key, partition }, partitions) => {
    if (partition !== undefined) return partition
    return (key === undefined ? turn++ : fnv1a(key)) % partitions
  }
}
