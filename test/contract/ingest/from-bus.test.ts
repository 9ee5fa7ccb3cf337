/** Everything of a network made again from the bus: what comes back, what a crash leaves, and what the bus no longer has. */
import { expect, test } from 'vitest'
import { createRandom } from '../../../deploy/demo/scenario/random.ts'
import { systemClock } from '../../../platform/context/clock.ts'
import { TABLES } from '../../../schema/block.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { encodeHandover, topics } from '../../../schema/topics.ts'
import { createCovered } from '../../../scorer/ingest/covered/covered.ts'
import { DERIVED, draftOf, rebuild as rebuildAggregates } from '../../../scorer/ingest/rebuild/rebuild.ts'
import { currentRebuild } from '../../../scorer/ingest/rebuild/states.ts'
import type { OnStep } from '../../../scorer/ingest/steps.ts'
import { readSettled } from '../../../scorer/ledger/reading/settled.ts'
import { until } from '../../kit/until.ts'
import { encodeInParts, FEW_TABLES, makeBlock, outgoing, rowsOf } from './chain.ts'
import { setUpIngest } from './kit.ts'
import { reindexFromBus } from './reindex.kit.ts'

const { store, path, bus, producer, createTopics, publishHistory, renewBus, start, caughtUp, storedAll } = setUpIngest()

const home = async () => (await store().query<{ home: string }>('SELECT currentDatabase() AS home'))[0]!.home

const rebuild = (network: Network, options: { onStep?: OnStep; prepare?: boolean } = {}) =>
  reindexFromBus({ store: store(), path: path(), bus: bus() }, network, options)

const aggregates = () => ({
  store: store(),
  clock: systemClock,
  signal: new AbortController().signal,
  progress: () => undefined,
})

/** Starts a scorer, and waits until it has everything. */
const scorer = async (network: Network, final: number) => {
  const life = start(network)
  await until('caught up', () => caughtUp(network))
  await until('settled', async () => (life.ingest.status().settled ?? final) >= final)
  return life
}

const indexed = async (network: Network, seed: number) => {
  await createTopics(network)
  const reorgs = networkInfo(network).reorgWindow > 0
  const history = await publishHistory(network, createRandom(seed), { rounds: 10, historyBlocks: 8, reorgs })
  const life = await scorer(network, history.final)
  return { ...history, life }
}

/** What aggregates count, in one row each. */
const counted = (network: Network) =>
  store().query(
    `SELECT (SELECT sum(sent) FROM wallet_features_all WHERE network = {network:String}) AS sent,
      (SELECT sum(count_in + count_out) FROM wallet_assets_all WHERE network = {network:String}) AS moved,
      (SELECT min(block_number) FROM first_covered_blocks WHERE network = {network:String}) AS first,
      (SELECT count() FROM wallet_facts_hot WHERE network = {network:String}) AS hot`,
    { network },
  )

const sendHead = (network: Network, block: ReturnType<typeof makeBlock>) =>
  producer().send([{ topic: topics.head(network), messages: encodeInParts([block], 1).map((one) => outgoing(one)) }])

test('exchanges or copies every table that chain rows feed', async () => {
  const rows = await store().query<{ name: string; views: string[]; target: string; engine: string }>(
    `SELECT name, engine, dependencies_table AS views,
       extract(create_table_query, ' TO (?:[^ .]+\\\\.)?\`?(\\\\w+)\`?') AS target
     FROM system.tables WHERE database = currentDatabase()`,
  )
  const tables = new Map(rows.map((row) => [row.name, row]))
  const reached = new Set<string>()
  const reach = (name: string) => {
    if (reached.has(name)) return
    reached.add(name)
    for (const view of tables.get(name)?.views ?? []) {
      const target = tables.get(view)?.target
      if (target) reach(target)
    }
  }
  for (const table of TABLES) for (const name of [table, `${table}_hot`]) reach(name)
  const stored = [...reached].filter((name) => tables.get(name)?.engine.endsWith('MergeTree') && !name.endsWith('_hot'))
  const ours = ['address_totals', 'first_blocks', 'labelled_addresses']
  expect(stored.sort()).toEqual([...TABLES, ...DERIVED, ...ours].sort())
})

test('restores damaged tables while a scorer works, also after a kill during the exchange', async () => {
  const { chain, first, life } = await indexed('ETH', 21)
  const [right, counts] = [await storedAll(), await counted('ETH')]
  await store().command("ALTER TABLE ledger DROP PARTITION tuple('ETH')")
  await store().command("INSERT INTO blocks SELECT * FROM blocks WHERE network = 'ETH' LIMIT 2")
  await store().command(
    "INSERT INTO transactions_hot SELECT * REPLACE (version + 1 AS version, value + 1 AS value) FROM transactions_hot FINAL WHERE network = 'ETH'",
  )
  expect(await storedAll()).not.toEqual(right)

  const dying = rebuild('ETH', {
    onStep: (step) => {
      if (step === 'exchanged ledger') throw new Error('killed')
    },
  })
  await expect(dying).rejects.toThrow('killed')
  expect(life.ingest.status().waiting).toBe(true)
  await expect(readSettled(store(), 'ETH', async () => 'read', { restMs: 30 })).rejects.toMatchObject({
    code: 'ASSAY_STORE_UNSETTLED',
  })
  await expect(rebuildAggregates(aggregates(), 'ETH')).rejects.toMatchObject({ code: 'ASSAY_REBUILD_HALF' })

  expect(await rebuild('ETH')).toEqual({ kind: 'completed' })
  expect(await storedAll()).toEqual(right)
  expect(await counted('ETH')).toEqual(counts)
  // Its position is that of tables that are gone.
  expect(await life.ended).toMatchObject({ code: 'ASSAY_INGEST_REBUILT' })
  const next = makeBlock('ETH', first + chain.length, chain.at(-1)!.hash, 'after', createRandom(4))
  await sendHead('ETH', next)
  await (await scorer('ETH', 0)).end()
  expect((await storedAll()).blocks).toHaveLength(chain.length + 1)

  // A scorer that has not heard of the new epoch covers nothing.
  const late = createCovered(store(), 'ETH', 1).claim(['late'], [{ ...next, number: 9_000, traces: 0 }])
  await expect(late).rejects.toMatchObject({ code: 'ASSAY_INGEST_CLAIMED' })
  expect(await store().query("SELECT name FROM system.databases WHERE name LIKE '%rebuild%'")).toEqual([])
})

test('rebuilds chunks that a lost scorer left unfinished, also after --prepare', async () => {
  await createTopics('HAQQ')
  const { chain, first } = await publishHistory('HAQQ', createRandom(22), {
    rounds: 5,
    historyBlocks: 8,
    reorgs: false,
    tables: FEW_TABLES,
  })
  let dead = false
  const dying = start('HAQQ', {
    onStep: (step) => {
      dead ||= step === 'inserted ledger'
      if (dead) throw new Error('killed')
    },
  })
  await until('half a chunk is in', async () => dead)
  await dying.end()
  await expect(rebuildAggregates(aggregates(), 'HAQQ')).rejects.toMatchObject({
    code: 'ASSAY_REBUILD_UNFINISHED',
    message: expect.stringContaining('assay reindex --network HAQQ --base'),
  })
  const half = await storedAll()
  const right = rowsOf(chain)
  expect(await rebuild('HAQQ', { prepare: true })).toMatchObject({
    kind: 'prepared',
    compared: expect.arrayContaining([{ table: 'blocks', before: half.blocks.length, after: right.blocks.length }]),
  })
  expect(await storedAll()).toEqual(half)
  expect((await currentRebuild(store(), 'HAQQ'))?.state).toBe('paused')
  const since = makeBlock('HAQQ', first + chain.length, chain.at(-1)!.hash, 'since', createRandom(5))
  await sendHead('HAQQ', since)
  const reads: string[] = []
  await rebuild('HAQQ', {
    onStep: async (step) => {
      const read = readSettled(store(), 'HAQQ', async ({ settled }) => `read at ${settled}`, { restMs: 10 })
      reads.push(`${step.split(' ')[0]}: ${await read.catch((error: { code: string }) => error.code)}`)
    },
  })
  expect([...new Set(reads)]).toEqual([
    'begun: read at undefined',
    'caught: read at undefined',
    'exchanging: read at undefined',
    'watermark: ASSAY_STORE_UNSETTLED',
    'exchanged: ASSAY_STORE_UNSETTLED',
    'took: ASSAY_STORE_UNSETTLED',
    'began: ASSAY_STORE_UNSETTLED',
    'watermark: read at undefined',
    'done: read at undefined',
  ])
  expect(await storedAll()).toEqual(rowsOf([...chain, since]))
  await (await scorer('HAQQ', 0)).end()
  expect(await storedAll()).toEqual(rowsOf([...chain, since]))
})

test('names missing blocks with the command that fetches them, and exchanges nothing', async () => {
  const { life } = await indexed('ETH', 23)
  await life.end()
  const right = await storedAll()
  await renewBus()
  await createTopics('ETH')
  await publishHistory('ETH', createRandom(24), { rounds: 0, historyBlocks: 40, first: 5, tables: FEW_TABLES })
  await expect(rebuild('ETH')).rejects.toMatchObject({
    code: 'ASSAY_REBUILD_SHORT',
    message: expect.stringContaining('assay backfill --network ETH --from 1 --to 4 --again'),
  })
  // The hand-over of a topic made again names blocks that no topic has.
  await producer().send([{ topic: topics.head('ETH'), messages: [encodeHandover('ETH', 1, 60, '0x60')] }])
  await expect(rebuild('ETH')).rejects.toMatchObject({
    code: 'ASSAY_REBUILD_SHORT',
    message: expect.stringContaining('--from 1 --to 60'),
  })
  expect(await storedAll()).toEqual(right)
  expect(await currentRebuild(store(), 'ETH')).toMatchObject({ state: 'paused', position: 'epoch 2' })
  expect(
    await store().query('SELECT name FROM system.databases WHERE name = {name:String}', {
      name: draftOf(await home(), 'ETH'),
    }),
  ).toHaveLength(1)
})
