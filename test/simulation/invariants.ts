/** Invariants once faults have stopped and the pipe is quiet: everything equals a fresh index of the canonical chain. */
import { type Block, TABLES } from '../../schema/block.ts'
import { type Network, networkInfo } from '../../schema/networks.ts'
import { authorityLogsOf } from '../../schema/registry/authorities.ts'
import { replayTopics } from '../kit/bus/follow.ts'
import { bodyOf } from './rescore.ts'
import { aggregateLines, bare, difference, ofNetwork, sorted } from './store/compare.ts'
import { createStoreModel, type StoreModel } from './store/model.ts'
import type { Row } from './store/table.ts'
import type { Place, World } from './world.ts'

/** A model with each block inserted once as final and once as hot. */
const freshIndex = (final: readonly Block[], hot: readonly Block[]): StoreModel => {
  const model = createStoreModel(() => 0)
  for (const table of TABLES) {
    const rowsOf = (blocks: readonly Block[]): Row[] => blocks.flatMap((block): Row[] => block.rows[table])
    const insert = (name: string, rows: readonly Row[]) => {
      for (const step of model.insertion(name, rows, undefined)) step()
    }
    insert(table, rowsOf(final))
    insert(
      `${table}_hot`,
      rowsOf(hot).map((row) => ({ ...row, version: 1, is_deleted: 0 })),
    )
  }
  return model
}

/** Facts of one transaction are distinguished by a hash of the engine's. */
const factLine = ({ version: _version, leg: _leg, ...fact }: Row) => sorted(fact)

export const markOf = (model: StoreModel, network: Network) =>
  ofNetwork(model.table('watermarks').rows(), network).toSorted((a, b) => Number(b.version) - Number(a.version))[0]

/** Whether every log of an authority was read up to the first indexed block. */
export const knowsAuthorities = (model: StoreModel, network: Network): boolean => {
  const rows = ofNetwork(model.table('authority_logs').final(), network)
  return rows.length === authorityLogsOf(network).length && rows.every(({ complete }) => complete === 1)
}

/** Blocks that must be in the tables. */
export const indexed = ({ chain, start }: Place): readonly Block[] =>
  chain.now().blocks.filter(({ number }) => number >= start)

/** Rows of authorities in blocks below the indexed ones, if the network has authorities. */
const earlierRows = ({ network, chain, start }: Place): Row[] =>
  authorityLogsOf(network).length === 0
    ? []
    : chain
        .now()
        .blocks.filter(({ number }) => number < start)
        .flatMap((block): Row[] => block.rows.authority)

/** Rows of the past tier that readers use: those below the first covered block. */
const past = (model: StoreModel, { network }: Place): string[] => {
  const first = Math.min(
    ...ofNetwork(model.table('first_blocks').rows(), network).map((row) => Number(row.block_number)),
  )
  return ofNetwork(model.table('authority_past').final(), network)
    .filter((row) => Number(row.block_number) < first)
    .map(sorted)
}

const tables = ({ model }: World, place: Place): string[] => {
  const { network } = place
  const blocks = indexed(place)
  const mark = markOf(model, network)
  const hasHot = networkInfo(network).reorgWindow > 0
  const settled = hasHot ? Number(mark?.settled ?? -1) : Number.POSITIVE_INFINITY
  const final = blocks.filter(({ number }) => number <= settled)
  const hot = blocks.filter(({ number }) => number > settled)
  const fresh = freshIndex(final, hot)
  for (const step of fresh.insertion('authority_past', earlierRows(place), undefined)) step()
  const above = (row: Row) => Number(row.block_number) > settled
  return [
    ...TABLES.flatMap((table) => [
      ...difference(
        `final rows of ${table}`,
        ofNetwork(model.table(table).rows(), network).map(sorted),
        fresh.table(table).rows().map(sorted),
      ),
      ...difference(
        `hot rows of ${table}`,
        ofNetwork(model.table(`${table}_hot`).final(), network)
          .filter(above)
          .map((row) => sorted(bare(row))),
        fresh
          .table(`${table}_hot`)
          .final()
          .map((row) => sorted(bare(row))),
      ),
    ]),
    ...difference(
      'hot facts',
      ofNetwork(model.table('facts_hot').final(), network).filter(above).map(factLine),
      fresh.table('facts_hot').final().map(factLine),
    ),
    ...difference('past rows of authority', past(model, place), fresh.table('authority_past').final().map(sorted)),
    ...difference('aggregates', aggregateLines(model, network), aggregateLines(fresh, network)),
  ]
}

/** Record of each wallet of the chain, derived from its movements. */
const wantedRecords = (place: Place): string[] => {
  const sums = new Map<string, { count: number; amount: bigint }>()
  for (const { address, amount } of indexed(place).flatMap((block) => block.rows.ledger)) {
    const sum = sums.get(address) ?? { count: 0, amount: 0n }
    sums.set(address, { count: sum.count + 1, amount: sum.amount + BigInt(amount) })
  }
  return [...sums].map(([address, { count, amount }]) => `${address}: ${bodyOf(count, amount)}`)
}

/** A wallet whose record at a follower differs from the newest one, in words. */
export const staleInMemory = ({ model, served }: World): string | undefined => {
  const stale = model
    .table('wallet_records')
    .final()
    .find((row) => served.get(`${row.network}:${row.address}`)?.body !== row.body)
  if (!stale) return undefined
  const { body = 'none', version = 0 } = served.get(`${stale.network}:${stale.address}`) ?? {}
  return `${stale.network}:${stale.address} is served as ${body} (${version}), and is ${stale.body} (${stale.version})`
}

const records = ({ model }: World, place: Place): string[] => {
  const stored = model
    .table('wallet_records')
    .final()
    .filter((row) => row.network === place.network && row.body !== '')
  return difference(
    'records',
    stored.map((row) => `${row.address}: ${row.body}`),
    wantedRecords(place),
  )
}

const topicsOf = ({ published }: World, place: Place): string[] => {
  const { history, head } = published.of(place.network)
  const replayed = replayTopics(history, head)
  return difference(
    'blocks on the topics',
    replayed.blocks.map(({ number, hash }) => `${number} ${hash}`),
    indexed(place).map(({ number, hash }) => `${number} ${hash}`),
  )
}

/** The violations, in words; empty if all is well. */
export const violations = (world: World): string[] =>
  world.places.flatMap((place) => {
    const { network } = place
    const forgotten = world.queue.forgotten(network)
    return [
      ...topicsOf(world, place),
      ...tables(world, place),
      ...records(world, place),
      ...(forgotten.length > 0
        ? [`${forgotten.length} addresses were not queued after their last change, as ${forgotten[0]}`]
        : []),
    ].map((line) => `${network}: ${line}`)
  })
