/** Messages of the block topics through the real ingest into the tables, by way of the embedded bus. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bus } from '../../../platform/bus/bus.ts'
import { openEmbeddedBus } from '../../../platform/bus/embedded.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { HISTORY_PARTITIONS, topics } from '../../../schema/topics.ts'
import { createIngest } from '../../../scorer/ingest/ingest.ts'
import { testContext } from '../../kit/context.ts'
import { until } from '../../kit/until.ts'

/** An embedded bus in a temporary folder. */
export const temporaryBus = async () => {
  const path = mkdtempSync(join(tmpdir(), 'assay-recorded-'))
  const bus = await openEmbeddedBus(testContext(), { path })
  return {
    bus,
    close: async () => {
      await bus.close()
      rmSync(path, { recursive: true, force: true })
    },
  }
}

export const createBlockTopics = (bus: Bus, network: Network) =>
  bus.createTopics([
    { topic: topics.history(network), partitions: HISTORY_PARTITIONS },
    { topic: topics.head(network), partitions: 1 },
  ])

/** Runs the ingest of a network until it has taken in everything both topics hold. @throws what stopped the ingest. */
export const ingestAll = async (store: Store, bus: Bus, network: Network): Promise<void> => {
  const ingest = createIngest({ context: testContext(), network, store, bus, options: { minIntervalMs: 0 } })
  let failure: unknown
  const running = ingest.run().catch((error: unknown) => {
    failure = error
  })
  const names = [topics.history(network), topics.head(network)]
  await until(
    `${network} is taken in`,
    async () => {
      if (failure) throw failure
      const left = await Promise.all(names.map((name) => bus.lag(`ingest.${name}`, name)))
      return left.every((lag) => lag === 0n)
    },
    300_000,
  )
  await ingest.close()
  await running
  if (failure) throw failure
}
