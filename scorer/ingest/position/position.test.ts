/** When a scorer reads its ledger: once for a start, and never before it holds the partition. */
import { expect, test } from 'vitest'
import type { Bus, Message } from '../../../platform/bus/bus.ts'
import { topics } from '../../../schema/topics.ts'
import type { LatestChunk } from '../chunks/chunks.ts'
import { createPosition } from './position.ts'

const HISTORY = topics.history('ETH')
const chunk = (partition: number, last: bigint, facts: Partial<LatestChunk> = {}): LatestChunk => ({
  ...{ topic: HISTORY, partition, log: 'a', first: last, last, done: true, finalized: 0 },
  ...facts,
})

/** A ledger that others write, and a bus whose partitions hold ten messages each. */
const setUp = (held: LatestChunk[]) => {
  let reads = 0
  const message = (topic: string, partition: number, offset: bigint): Message => ({
    ...{ topic, partition, offset, timestamp: 0, key: undefined, value: Buffer.alloc(0), headers: { log: 'a' } },
  })
  const bus = {
    offsets: async () => [0, 1, 2, 3].map((partition) => ({ partition, first: 0n, next: 10n })),
    read: async function* (topic: string, partition: number, from: bigint) {
      for (let offset = from; offset < 10n; offset += 1n) yield message(topic, partition, offset)
    },
  } as unknown as Bus
  const ledger = {
    newest: async () => {
      reads += 1
      return [...held]
    },
  } as unknown as Parameters<typeof createPosition>[0]['ledger']
  const position = createPosition({ bus, ledger, network: 'ETH' }, async () => false)
  return { position, held, reads: () => reads }
}

test('all partitions of an assignment begin after one read of the ledger, each at its own chunk', async () => {
  const { position, reads } = setUp([chunk(0, 3n), chunk(1, 7n, { first: 5n, done: false }), chunk(3, 9n)])
  const starts = await Promise.all([0, 1, 2, 3].map((partition) => position.begin(HISTORY, partition)))
  expect(starts).toEqual([4n, 5n, undefined, 10n])
  expect(reads()).toBe(1)
  expect(await position.historyUnderWay()).toBe(true)
  expect(reads()).toBe(2)
})

test('a partition that is assigned later begins where its previous owner ended, not where it was at the start', async () => {
  const { position, held } = setUp([chunk(0, 3n), chunk(1, 3n)])
  // What a scorer reads before it joins its groups.
  expect(await Promise.all([0, 1].map((partition) => position.begin(HISTORY, partition)))).toEqual([4n, 4n])
  held.splice(1, 1, chunk(1, 8n))
  expect(await position.begin(HISTORY, 1)).toBe(9n)
})
