/** Aggregates made again from base tables: what they hold, what a crash leaves, and what arrives meanwhile. */
import { expect, test } from 'vitest'
import { createRandom } from '../../../deploy/demo/scenario/random.ts'
import { systemClock } from '../../../platform/context/clock.ts'
import type { Store } from '../../../platform/store/store.ts'
import { TABLES, type TableName } from '../../../schema/block.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { RECOUNTS } from '../../../schema/tables/chain/recount.ts'
import { topics } from '../../../schema/topics.ts'
import { compareShare, type Difference } from '../../../scorer/ingest/rebuild/aggregates.ts'
import { draftOf, rebuild as rebuildNetwork } from '../../../scorer/ingest/rebuild/rebuild.ts'
import { currentRebuild, isUnderWay } from '../../../scorer/ingest/rebuild/states.ts'
import type { OnStep } from '../../../scorer/ingest/steps.ts'
import { readSettled } from '../../../scorer/ledger/reading/settled.ts'
import { until } from '../../kit/until.ts'
import { encodeInParts, FEW_TABLES, makeBlock, outgoing } from './chain.ts'
import { setUpIngest } from './kit.ts'

const { store, bus, producer, createTopics, publishHistory, start, caughtUp, expectFreshIndex } = setUpIngest()

/** Every aggregate against the base tables. */
const differences = async (network: Network, buckets = 1): Promise<Difference[]> => {
  const { database } = (await store().query<{ database: string }>('SELECT currentDatabase() AS database'))[0]!
  const found: Difference[] = []
  for (const recount of RECOUNTS) {
    for (let bucket = 0; bucket < buckets; bucket++) {
      const at = { network, base: database, states: database, buckets, bucket }
      found.push(await compareShare(store(), recount, at))
    }
  }
  return found.filter(({ differing }) => differing > 0)
}

const tablesIn = async (found: Promise<Difference[]>) => [...new Set((await found).map(({ table }) => table))].sort()

/** A network with random history that a scorer has put into tables: by default those whose aggregates `damage` damages. */
const indexed = async (network: Network, seed: number, tables: readonly TableName[] = [...FEW_TABLES, 'swaps']) => {
  await createTopics(network)
  const reorgs = networkInfo(network).reorgWindow > 0
  const history = await publishHistory(network, createRandom(seed), { rounds: 5, historyBlocks: 8, reorgs, tables })
  const life = start(network)
  await until('caught up', () => caughtUp(network))
  await until('settled', async () => (life.ingest.status().settled ?? history.final) >= history.final)
  await life.end()
  return history
}

/** Rows that no block brought, and rows that are gone. */
const damage = async (network: Network) => {
  await store().command(
    'INSERT INTO wallet_features (network, address, sent) SELECT network, address, 7 FROM wallet_features WHERE network = {network:String} LIMIT 1',
    { network },
  )
  await store().command('ALTER TABLE wallet_edges DROP PARTITION tuple({network:String})', { network })
  await store().command(
    'INSERT INTO wallet_swaps SELECT * FROM wallet_swaps WHERE network = {network:String} LIMIT 1',
    { network },
  )
}
const DAMAGED = ['wallet_edges', 'wallet_features', 'wallet_swaps']

const rebuild = (
  network: Network,
  {
    onStep,
    on = store(),
    signal = new AbortController().signal,
  }: { onStep?: OnStep; on?: Store; signal?: AbortSignal } = {},
) =>
  rebuildNetwork(
    { store: on, clock: systemClock, signal, progress: () => undefined, ...(onStep && { onStep }) },
    network,
  )

test('aggregates of materialized views equal those from base tables, and damage is found and repaired', async () => {
  await indexed('ETH', 11, TABLES)
  await indexed('HAQQ', 12, TABLES)
  expect(await differences('ETH', 2)).toEqual([])
  expect(await differences('HAQQ')).toEqual([])
  await damage('ETH')
  await damage('HAQQ')
  expect(await tablesIn(differences('ETH'))).toEqual(DAMAGED)
  expect(await rebuild('ETH')).toBe('done')
  expect(await differences('ETH')).toEqual([])
  // The other network lies in the same tables and is as it was.
  expect(await tablesIn(differences('HAQQ'))).toEqual(DAMAGED)
  expect(await rebuild('HAQQ')).toBe('done')
  expect(await differences('HAQQ')).toEqual([])
})

test('a table with only wrong rows is empty after the rebuild', async () => {
  await indexed('ETH', 13, TABLES)
  await store().command('ALTER TABLE ledger DROP PARTITION tuple({network:String})', { network: 'ETH' })
  await rebuild('ETH')
  expect(await differences('ETH')).toEqual([])
  expect(await store().query("SELECT count() AS rows FROM wallet_edges WHERE network = 'ETH'")).toEqual([{ rows: '0' }])
})

/** How many rows the damaged tables hold: enough to tell the damaged from the rebuilt. */
const rowCounts = () =>
  store().query(
    `${DAMAGED.map((table) => `SELECT '${table}' AS name, count() AS rows FROM ${table} WHERE network = 'ETH'`).join(
      ' UNION ALL ',
    )} ORDER BY name`,
  )

const killed = async (death: number) => {
  let count = 0
  const dying = rebuild('ETH', {
    onStep: () => {
      if (count++ >= death) throw new Error('killed')
    },
  })
  await expect(dying).rejects.toThrow('killed')
}

test('after a kill before the exchange the tables are unchanged, and the next run succeeds', async () => {
  await indexed('ETH', 14)
  await damage('ETH')
  const broken = await rowCounts()
  // After the draft was made, after the first share, and a few shares later.
  for (const death of [0, 1, 4]) {
    await killed(death)
    expect(await rowCounts()).toEqual(broken)
  }
  expect(await rebuild('ETH')).toBe('done')
  expect(await differences('ETH')).toEqual([])
})

test('after a kill during the exchange, scorers wait until the next run completes it', async () => {
  await indexed('ETH', 14)
  await damage('ETH')
  const steps: string[] = []
  await rebuild('ETH', { onStep: (step) => void steps.push(step) })
  const right = await rowCounts()
  const exchanging = steps.indexOf('exchanging')
  // With nothing exchanged, with some tables exchanged, and with all.
  for (const death of [exchanging, exchanging + 4, steps.length - 2]) {
    await damage('ETH')
    await killed(death)
    expect(isUnderWay(await currentRebuild(store(), 'ETH'))).toBe(true)
    expect(await rebuild('ETH')).toBe('done')
    expect(await rowCounts(), steps[death]).toEqual(right)
  }
  expect(await differences('ETH')).toEqual([])
  const [{ home }] = (await store().query<{ home: string }>('SELECT currentDatabase() AS home')) as [{ home: string }]
  expect(
    await store().query('SELECT name FROM system.databases WHERE name = {name:String}', { name: draftOf(home, 'ETH') }),
  ).toEqual([])
})

test('an interrupted run continues, or restarts if rows were added since', async () => {
  await indexed('ETH', 15)
  await damage('ETH')
  const interruptedAfter = async (steps: number) => {
    const stop = new AbortController()
    const done: string[] = []
    const outcome = await rebuild('ETH', {
      signal: stop.signal,
      onStep: (step) => {
        if (step.startsWith('counted') && done.push(step) === steps) stop.abort()
      },
    })
    return { outcome, done }
  }
  const first = await interruptedAfter(4)
  expect(first).toMatchObject({ outcome: 'interrupted', done: { length: 4 } })
  const second = await interruptedAfter(3)
  expect(second.done[0]).not.toBe(first.done[0])
  const life = start('ETH')
  await producer().send([
    {
      topic: topics.history('ETH'),
      messages: [outgoing(encodeInParts([makeBlock('ETH', 900, '0x', 'late', createRandom(3))], 1)[0]!, 0)],
    },
  ])
  await until('caught up', () => caughtUp('ETH'))
  await life.end()
  const third = await interruptedAfter(2)
  expect(third.done[0]).toBe(first.done[0])
  expect(await rebuild('ETH')).toBe('done')
  expect(await differences('ETH')).toEqual([])
})

test('a running scorer waits for the rebuild, loses nothing that arrives meanwhile, and continues by itself', async () => {
  const { chain, first, final } = await indexed('ETH', 16)
  await damage('ETH')
  const life = start('ETH')
  await until('running', async () => life.ingest.status().settled !== undefined)
  const next = makeBlock('ETH', first + chain.length, chain.at(-1)!.hash, 'meanwhile', createRandom(4))
  let waited = false
  const shared = { ...store(), embedded: false }
  await rebuild('ETH', {
    on: shared,
    onStep: async (step) => {
      if (step !== 'begun') return
      expect(life.ingest.status().waiting).toBe(true)
      await producer().send([
        { topic: topics.head('ETH'), messages: encodeInParts([next], 1).map((message) => outgoing(message)) },
      ])
      waited = true
    },
  })
  expect(waited).toBe(true)
  await until('went on', async () => (await caughtUp('ETH')) && !life.ingest.status().waiting)
  await life.end()
  await expectFreshIndex([...chain, next], first, final)
  expect(await differences('ETH')).toEqual([])
})

test('no reader sees a mix of old and new tables during the exchange', async () => {
  await indexed('ETH', 17)
  await damage('ETH')
  const outcomes: string[] = []
  await rebuild('ETH', {
    onStep: async (step) => {
      const read = readSettled(store(), 'ETH', async () => 'read', { restMs: 30 })
      outcomes.push(`${step.split(' ')[0]} ${await read.catch((error: { code: string }) => error.code)}`)
    },
  })
  expect([...new Set(outcomes)]).toEqual([
    'begun read',
    'counted read',
    'exchanging read',
    'watermark ASSAY_STORE_UNSETTLED',
    'exchanged ASSAY_STORE_UNSETTLED',
    'watermark read',
    'done read',
  ])
})

test('leaves unfinished chunks and moves to the scorer, and two rebuilds exclude each other', async () => {
  await indexed('ETH', 18)
  await store().insert(
    'ingest_chunks',
    JSON.stringify({ topic: topics.history('ETH'), partition: 0, first_offset: '9000', last_offset: '9001', done: 0 }),
  )
  await expect(rebuild('ETH')).rejects.toMatchObject({ code: 'ASSAY_REBUILD_UNFINISHED' })
  expect((await currentRebuild(store(), 'ETH'))?.state).toBe('paused')
  await indexed('BASE', 19)
  const shared = { ...store(), embedded: false }
  await rebuild('BASE', {
    on: shared,
    onStep: async (step) => {
      if (step !== 'begun') return
      await expect(rebuild('BASE', { on: shared })).rejects.toMatchObject({ code: 'ASSAY_REBUILD_RUNNING' })
    },
  })
  expect(await differences('BASE')).toEqual([])
  expect(await bus().healthy()).toBe(true)
})
