import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFraudExplain } from '../../../api/answers/providers/explanations/fraud.ts'
import { createFraudLookup } from '../../../api/answers/providers/fraud.ts'
import { openBus } from '../../../platform/bus/index.ts'
import { systemClock } from '../../../platform/context/clock.ts'
import { createLog } from '../../../platform/context/log.ts'
import { createMetrics } from '../../../platform/context/metrics.ts'
import { fraudBody } from '../../../schema/records/fraud.ts'
import { encodeRescore, topics } from '../../../schema/topics.ts'
import { lookupRecords } from '../../../scorer/ledger/records.ts'
import { createRescore, type Rescore } from '../../../scorer/rescore/rescore.ts'
import { createScoring } from '../../../scorer/rescore/stream.ts'
import { createWalletModel } from '../../../scorer/scoring/model/wallet-model.ts'
import { saveRecords, walletRecordOf } from '../../../scorer/scoring/stored.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { until } from '../../kit/until.ts'
import { insertRows, named, rowsOf, settle, type Tx } from '../../kit/world/transactions.ts'
import { readAll } from '../bus/helpers.ts'

let kit: TestStore
let scoring: Rescore
const context = { metrics: createMetrics(), clock: systemClock, log: createLog('silent') }
beforeAll(async () => {
  kit = await openTestStore()
  scoring = createRescore({ context, store: kit.store, model: createWalletModel() })
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0, 789)
const ETH = 10n ** 18n
const DAY_BLOCKS = 144
const busy = (who: string, count: number): Tx[] =>
  Array.from({ length: count }, (_, n) =>
    n % 2 === 0
      ? { from: named(who), to: named(`shop${n % 8}`), block: 1 + n * DAY_BLOCKS, value: ETH }
      : { from: named(`src${n % 6}`), to: named(who), block: 1 + n * DAY_BLOCKS, value: 2n * ETH },
  )
const without = (body: string, ...clocks: string[]) =>
  JSON.stringify(JSON.parse(body), (key, value: unknown) => (clocks.includes(key) ? undefined : value))

test('an unseen address is not seen; a young one is New Address; an active one is low and Not Fraud', async () => {
  await insertRows(
    kit.store,
    rowsOf([...busy('ann', 40), { from: named('new'), to: named('shop0'), block: 3, value: ETH }]),
  )
  const [ghost, young, ann] = await scoring.rescore('ETH', [named('ghost'), named('new'), named('ann')], NOW)
  expect(ghost).toMatchObject({ seen: false, body: '', reasons: [] })
  expect(young).toMatchObject({ seen: true, status: 'New Address' })
  expect(young!.probability).toBeLessThan(0.15)
  expect(ann).toMatchObject({
    seen: true,
    status: 'Not Fraud',
    dataHeight: 1 + 39 * DAY_BLOCKS,
    modelVersion: scoring.modelVersion,
  })
  expect(ann!.probability).toBeLessThan(0.05)
  expect(fraudBody.parse(JSON.parse(ann!.body))).toEqual({
    message: 'Success',
    chain: 'ETH',
    status: 'Not Fraud',
    probabilityFraud: expect.stringMatching(/^0\.0\d{1,9}$/),
    token: null,
    lastChecked: '2026-01-01T12:00:00.000Z',
    createdAt: '2026-01-01T12:00:00.000Z',
    forensic_details: {
      ...Object.fromEntries(Object.keys(JSON.parse(ann!.body).forensic_details).map((field) => [field, '0'])),
      data_source: '',
    },
    sanctionData: [
      {
        category: null,
        name: null,
        description: null,
        url: null,
        isSanctioned: false,
        createdAt: '2026-01-01T12:00:00.000Z',
        updatedAt: '2026-01-01T12:00:00.000Z',
      },
    ],
  })
})

test('a wallet whose every block was undone has its record withdrawn, and a new one when it comes back', async () => {
  const ann = { network: 'ETH', address: named('ann') } as const
  const lookup = createFraudLookup(kit.store)
  const explain = createFraudExplain({ store: kit.store, exposure: async () => [] as never })
  const signal = new AbortController().signal
  const found = async () => [(await lookup([ann], signal))[0]?.version, (await explain(ann, signal))?.fields.status]
  const score = async (now: number) => saveRecords(kit.store, await scoring.rescore('ETH', [ann.address], now))
  expect(await score(NOW)).toEqual([])
  await insertRows(kit.store, rowsOf(busy('ann', 40)))
  await score(NOW + 1)
  expect(await found()).toEqual([NOW + 1, 'Not Fraud'])
  for (const table of ['ledger', 'transactions', 'wallet_features', 'wallet_edges', 'wallet_assets']) {
    await kit.store.command('TRUNCATE TABLE {table:Identifier}', { table })
  }
  expect(await score(NOW + 2)).toMatchObject([{ body: '', version: NOW + 2 }])
  expect(await found()).toEqual([undefined, undefined])
  // Published again: whoever stored it may have died before he published it.
  expect(await score(NOW + 2)).toMatchObject([{ body: '', version: NOW + 3 }])
  await insertRows(kit.store, rowsOf(busy('ann', 40)))
  await score(NOW + 2)
  expect(await found()).toEqual([NOW + 4, 'Not Fraud'])
  expect(await kit.store.query('SELECT version FROM record_history ORDER BY version')).toHaveLength(3)
})

test('the same data gives the same bytes, apart from clocks, whenever, in whatever batch and tier', async () => {
  const txs = busy('ann', 30)
  const border = 15 * DAY_BLOCKS
  const all = rowsOf(txs)
  await insertRows(kit.store, all)
  const [alone] = await scoring.rescore('ETH', [named('ann')], NOW)
  const [later] = await scoring.rescore('ETH', [named('ann')], NOW + 9e9)
  const crowd = await scoring.rescore('ETH', [named('src1'), named('ann'), named('shop0'), named('ann')], NOW)
  await kit.truncate()
  await insertRows(
    kit.store,
    rowsOf(
      txs.filter((tx) => tx.block <= border),
      { head: border },
    ),
  )
  await settle(kit.store, 'ETH', border)
  await insertRows(
    kit.store,
    rowsOf(
      txs.filter((tx) => tx.block > border),
      { from: border + 1 },
    ),
    'hot',
  )
  const [hot] = await scoring.rescore('ETH', [named('ann')], NOW)
  expect(crowd.map((one) => one.address)).toEqual([named('src1'), named('ann'), named('shop0'), named('ann')])
  for (const same of [crowd[1], crowd[3], hot]) {
    expect({ ...same, version: 0 }).toEqual({ ...alone, version: 0 })
  }
  const clocks = ['lastChecked', 'createdAt', 'updatedAt']
  expect(without(later!.body, ...clocks)).toBe(without(alone!.body, ...clocks))
})

test('records are found again, keep their first time, and leave a history of what changed', async () => {
  await insertRows(kit.store, rowsOf(busy('ann', 6)))
  const first = await scoring.rescore('ETH', [named('ann'), named('ghost')], NOW)
  expect(await saveRecords(kit.store, first)).toEqual([walletRecordOf(first[0]!)])
  const second = await scoring.rescore('ETH', [named('ann')], NOW + 60_000)
  expect(second[0]).toMatchObject({ changed: false, createdAt: Math.floor(NOW / 1_000) * 1_000 })
  await saveRecords(kit.store, second)
  await insertRows(kit.store, rowsOf(busy('ann', 20).slice(6), { from: 6 * DAY_BLOCKS }))
  const third = await scoring.rescore('ETH', [named('ann')], NOW + 120_000)
  expect(third[0]).toMatchObject({ changed: true, status: 'Not Fraud' })
  await saveRecords(kit.store, third)
  const found = await lookupRecords(kit.store, [
    { network: 'ETH', address: named('ghost') },
    { network: 'ETH', address: named('ann') },
    { network: 'BASE', address: named('ann') },
  ])
  expect(found).toEqual([undefined, walletRecordOf(third[0]!), undefined])
  expect(JSON.parse(found[1]!.body)).toMatchObject({
    createdAt: '2026-01-01T12:00:00.000Z',
    lastChecked: '2026-01-01T12:02:00.000Z',
  })
  expect(
    await kit.store.query('SELECT status, toUInt32(count()) AS n FROM record_history GROUP BY status ORDER BY status'),
  ).toEqual([
    { status: 'New Address', n: 1 },
    { status: 'Not Fraud', n: 1 },
  ])
})

test('two computations in the same millisecond never share a version', async () => {
  await insertRows(kit.store, rowsOf(busy('ann', 6)))
  await saveRecords(kit.store, await scoring.rescore('ETH', [named('ann')], NOW))
  const [again] = await scoring.rescore('ETH', [named('ann')], NOW)
  expect(again!.version).toBe(NOW + 1)
})

test('touched addresses become stored and published records, each once per batch', async () => {
  const path = mkdtempSync(join(tmpdir(), 'assay-scoring-'))
  const bus = await openBus({ path, log: context.log })
  await insertRows(kit.store, rowsOf([...busy('ann', 12), ...busy('bob', 12)]))
  const scorer = await createScoring({ context, networks: ['ETH'], store: kit.store, bus, rescore: scoring })
  const producer = await bus.producer()
  const touch = (...names: string[]) => encodeRescore(names.map(named)).map((value) => ({ value, partition: 0 }))
  const unreadable = { value: Buffer.alloc(0), partition: 0 }
  const messages = [...touch('ann', 'bob'), unreadable, ...touch('ann'), ...touch('ghost', 'ann')]
  await producer.send([{ topic: topics.rescore('ETH'), messages }])
  await until('everything scored', async () => (await bus.lag('scoring.ETH', topics.rescore('ETH'))) === 0n)
  const stored = await lookupRecords(
    kit.store,
    ['ann', 'bob', 'ghost'].map((name) => ({ network: 'ETH' as const, address: named(name) })),
  )
  expect(stored.map((record) => record?.status)).toEqual(['Not Fraud', 'Not Fraud', undefined])
  const published = await readAll(bus, topics.records)
  expect(new Set(published.map(({ key }) => key))).toEqual(new Set([`ETH:${named('ann')}`, `ETH:${named('bob')}`]))
  expect(published).toHaveLength(2)
  expect(stored).toContainEqual(JSON.parse(published.at(-1)!.value.toString()))
  expect((await readAll(bus, topics.dlq)).map(({ headers }) => `${headers.topic} ${headers.offset}`)).toEqual([
    `${topics.rescore('ETH')} 1`,
  ])
  await scorer.close()
  await scorer.done
  await producer.close()
  await bus.close()
  rmSync(path, { recursive: true, force: true })
})

test('those whom a listed wallet paid are scored again through the stream, and those whom they paid', async () => {
  const path = mkdtempSync(join(tmpdir(), 'assay-scoring-'))
  const bus = await openBus({ path, log: context.log })
  const oracle = '0x40c57923924b5c5c5455c48d93317139addac8fb'
  await insertRows(
    kit.store,
    rowsOf([
      {
        from: named('boss'),
        to: oracle,
        block: 1,
        actions: [{ do: 'authority', authority: oracle, event: 'sanction_add', subject: named('ofac') }],
      },
      ...['ofac', 'first', 'second', 'third', 'fourth'].map(
        // Each keeps half: handing everything on would be an offence of its own.
        (name, n, all): Tx => ({
          from: named(name),
          to: named(all[n + 1] ?? 'shop'),
          block: 2 + n,
          value: (16n * ETH) >> BigInt(n),
        }),
      ),
    ]),
  )
  const scorer = await createScoring({ context, networks: ['ETH'], store: kit.store, bus, rescore: scoring })
  const producer = await bus.producer()
  const messages = encodeRescore([named('ofac')]).map((value) => ({ value, partition: 0 }))
  await producer.send([{ topic: topics.rescore('ETH'), messages }])
  const names = ['ofac', 'first', 'second', 'third', 'fourth']
  const hops = async () => {
    const subjects = names.map((name) => ({ network: 'ETH' as const, address: named(name) }))
    return (await lookupRecords(kit.store, subjects)).map((record) => record && [record.offence, record.offence_hops])
  }
  // The fourth is too far away: nothing queued it.
  const expected = [['sanctioned', 0], ['', 1], ['', 2], ['', 3], undefined]
  await until('those they paid were scored', async () => JSON.stringify(await hops()) === JSON.stringify(expected))
  await until('everything scored', async () => (await bus.lag('scoring.ETH', topics.rescore('ETH'))) === 0n)
  expect(await hops()).toEqual(expected)
  await scorer.close()
  await scorer.done
  await producer.close()
  await bus.close()
  rmSync(path, { recursive: true, force: true })
})
