/** Readers of the API: they follow the records, and read blocks of both tiers while these move. */
import { followRecords } from '../../api/answers/reader/follow.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import { RetryableError } from '../../platform/errors.ts'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import { topics } from '../../schema/topics.ts'
import { readSettled } from '../../scorer/ledger/reading/settled.ts'
import type { Process } from './virtual/process.ts'
import type { Scheduler } from './virtual/scheduler.ts'

const FINAL_BLOCKS = readSql(import.meta.url, './sql/final-blocks.sql')
const HOT_MOVEMENTS = readSql(import.meta.url, './sql/hot-movements.sql')
const HOT_BLOCKS = readSql(import.meta.url, './sql/hot-blocks.sql')
const RECORDS = readSql(import.meta.url, './sql/records.sql')
const READ_EVERY_MS = 400

type BlockRow = { block_number: number; block_hash: string; parent_hash: string }
export type Served = ReadonlyMap<string, { body: string; version: number }>

/** What a reader must never see. A chain that is `whole` has no gaps from its first covered block on. */
const violationIn = (rows: readonly BlockRow[], whole: boolean): string | undefined => {
  const sorted = rows.toSorted((a, b) => a.block_number - b.block_number)
  for (const [index, row] of sorted.entries()) {
    const below = sorted[index - 1]
    if (!below) continue
    if (below.block_number === row.block_number) return `block ${row.block_number} shows twice`
    if (!whole) continue
    if (below.block_number + 1 !== row.block_number)
      return `blocks between ${below.block_number} and ${row.block_number} do not show`
    if (below.block_hash !== row.parent_hash)
      return `block ${row.block_number} is ${row.block_hash} on ${row.parent_hash}, but below it is ${below.block_hash}`
  }
  return undefined
}

type Count = { block_number: number; count: number }

/** A hot block whose movements differ from those on its chain, in words. */
const otherMovements = (rows: readonly BlockRow[], counts: readonly Count[], movementsOf: (hash: string) => number) => {
  const found = new Map(counts.map(({ block_number, count }) => [block_number, count]))
  const wrong = rows.find((row) => (found.get(row.block_number) ?? 0) !== movementsOf(row.block_hash))
  return wrong && `block ${wrong.block_hash} has ${found.get(wrong.block_number) ?? 0} movements`
}

type Deps = {
  process: Process
  store: Store
  bus: Bus
  scheduler: Scheduler
  networks: readonly Network[]
  /** Movements of a block on its chain. */
  movementsOf: (network: Network, hash: string) => number
  served: Map<string, { body: string; version: number }>
}

/** Runs until the process ends. A violation ends the simulation. */
export const runReader = async ({ process, store, bus, scheduler, networks, movementsOf, served }: Deps) => {
  const { clock, context } = process
  await bus.createTopics([{ topic: topics.records, partitions: 1, compacted: true }])
  served.clear()
  const keep = (network: string, address: string, record: { body: string; version: number }) => {
    const key = `${network}:${address}`
    if (process.alive() && record.version >= (served.get(key)?.version ?? 0)) served.set(key, record)
  }
  await followRecords(context, bus, {
    refresh: (_operation, { network, address }, record) => keep(network, address, record),
  })
  const stored = await store.query<{ network: string; address: string; version: string; body: string }>(RECORDS)
  for (const { network, address, version, body } of stored) keep(network, address, { body, version: Number(version) })
  for (;;) {
    await clock.sleep(scheduler.random.below(2 * READ_EVERY_MS))
    for (const network of networks) {
      try {
        const read = await readSettled(
          store,
          network,
          async ({ settled, head }) => {
            const final = await store.query<BlockRow>(FINAL_BLOCKS, { network, settled: settled ?? 4_294_967_295 })
            const hot = settled === undefined ? [] : await store.query<BlockRow>(HOT_BLOCKS, { network, settled, head })
            const counts =
              settled === undefined ? [] : await store.query<Count>(HOT_MOVEMENTS, { network, settled, head })
            return { rows: [...final, ...hot], hot, counts, settled, head }
          },
          { clock, restMs: 3_000, repeatMs: 3_000 },
        )
        const violation =
          violationIn(read.rows, read.settled !== undefined) ??
          otherMovements(read.hot, read.counts, (hash) => movementsOf(network, hash))
        if (violation !== undefined)
          scheduler.fail(
            new Error(`A reader of ${network} (settled ${read.settled}, head ${read.head}) sees that ${violation}`),
          )
      } catch (error) {
        if (!(error instanceof RetryableError)) scheduler.fail(error)
      }
    }
  }
}
