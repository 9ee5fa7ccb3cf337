import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBulkFraudProvider, createFraudProvider } from '../../../../api/answers/providers/fraud.ts'
import { createServeCounts } from '../../../../api/answers/served/bases.ts'
import type { WalletRecord } from '../../../../schema/records/stored.ts'
import { SANCTIONS_ORACLES } from '../../../../schema/registry/authorities.ts'
import { createRescore } from '../../../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../../../scorer/scoring/model/wallet-model.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { insertRows, named, rowsOf, type Tx } from '../../../kit/world/transactions.ts'
import { startApi, testContext } from '../kit.ts'

let kit: TestStore
let started: Awaited<ReturnType<typeof startApi>>
const published: WalletRecord[] = []
const ORACLE = [...SANCTIONS_ORACLES.ETH.keys()][0] ?? ''

const trades: Tx[] = Array.from({ length: 12 }, (_, n) => ({
  from: named('trader'),
  to: named('shop'),
  block: 10 + n,
  value: 10n ** 18n,
}))
const listing = (block: number, subject: string): Tx => ({
  from: named('boss'),
  to: ORACLE,
  block,
  call: true,
  actions: [{ do: 'authority', authority: ORACLE, event: 'sanction_add', subject: named(subject) }],
})

beforeAll(async () => {
  kit = await openTestStore()
  await insertRows(kit.store, rowsOf([...trades, listing(30, 'listed')]))
  const context = testContext()
  const provider = createFraudProvider({
    store: kit.store,
    clock: context.clock,
    rescore: createRescore({ context, store: kit.store, model: createWalletModel() }),
    publish: async (records) => {
      published.push(...records)
    },
  })
  started = await startApi({ providers: { fraud_check: provider }, serveCounts: createServeCounts(kit.store) }, context)
})
afterAll(async () => {
  await started.close()
  await kit.close()
})

const check = async (name: string, calculate = false) =>
  started.ask('/fraud/check', { network: 'ETH', walletAddress: named(name), calculate })

test('scores an unscored wallet on request, stores and publishes it, then serves it from memory', async () => {
  const { status, body } = await check('trader')
  expect([status, body.status, body.checked_times]).toEqual([200, 'Not Fraud', 1])
  expect(published.map(({ address }) => address)).toEqual([named('trader')])
  const again = await check('trader')
  expect(again.body).toEqual({ ...body, checked_times: 2, updatedAt: again.body.updatedAt })
  expect(published).toHaveLength(1)
})

test('a listed wallet is Fraud at 1.00 and an unseen wallet is 404, also after recalculation', async () => {
  for (const calculate of [false, true]) {
    const listed = await check('listed', calculate)
    expect([
      listed.status,
      listed.body.status,
      listed.body.probabilityFraud,
      listed.body.forensic_details.sanctioned,
    ]).toEqual([200, 'Fraud', '1.00', '1'])
    expect((await check('nobody', calculate)).status).toBe(404)
  }
})

test('a recalculation sees newer data than the record in memory', async () => {
  expect((await check('shop')).body.status).not.toBe('Fraud')
  await insertRows(kit.store, rowsOf([listing(40, 'shop')]))
  expect((await check('shop')).body.status).not.toBe('Fraud')
  expect((await check('shop', true)).body.status).toBe('Fraud')
  expect((await check('shop')).body.status).toBe('Fraud')
})

test('stores and publishes a wallet with a withdrawn record once, however often it is requested', async () => {
  const record = { network: 'ETH', address: named('gone'), version: 5, status: 'Not Fraud', probability: 0, body: '{}' }
  const rest = { reasons: '[]', unknowns: [], model_version: '1', data_height: 1, created_at: 1, computed_at: 1 }
  await kit.store.insert('wallet_records', `${JSON.stringify({ ...record, ...rest })}\n`)
  const before = published.length
  const asked = async () => {
    const { status } = await check('gone', true)
    const [row] = await kit.store.query<{ newest: string; body: string }>(
      'SELECT toString(max(version)) AS newest, argMax(body, version) AS body FROM wallet_records WHERE address = {address:String}',
      { address: named('gone') },
    )
    return { status, ...row }
  }
  const first = await asked()
  expect(first).toMatchObject({ status: 404, body: '' })
  expect(await asked()).toEqual(first)
  expect(await asked()).toEqual(first)
  expect(published.slice(before).map(({ body }) => body)).toEqual([''])
})

test('screening computes wallets without a record together, with the same results as one by one', async () => {
  const wallets = Array.from({ length: 40 }, (_, n) => named(`buyer ${n}`))
  await insertRows(
    kit.store,
    rowsOf([
      ...wallets.map((from, n): Tx => ({ from, to: named('shop'), block: 50 + n, value: 10n ** 18n })),
      listing(95, 'buyer 7'),
    ]),
  )
  const context = testContext()
  const { rescore, modelVersion } = createRescore({ context, store: kit.store, model: createWalletModel() })
  const sizes: number[] = []
  const records: WalletRecord[] = []
  const provider = createBulkFraudProvider({
    store: kit.store,
    clock: { ...context.clock, now: () => 1_900_000_000_000 },
    rescore: {
      modelVersion,
      rescore: (network, addresses, ...rest) => {
        sizes.push(addresses.length)
        return rescore(network, addresses, ...rest)
      },
    },
    publish: async (some) => {
      records.push(...some)
    },
  })
  const signal = new AbortController().signal
  const asked = [...wallets, named('nobody at all'), wallets[0] ?? '']
  const found = await Promise.all(asked.map((address) => provider.compute({ network: 'ETH', address }, signal)))
  expect(sizes.length).toBeLessThan(3)
  expect([found.filter(Boolean).length, found[40]]).toEqual([41, undefined])
  const texts = async (name: string) => (await rescore('ETH', [named(name)], 1_900_000_000_000))[0]?.body
  for (const n of [0, 7, 39]) expect(found[n]?.body).toBe(await texts(`buyer ${n}`))
  expect(JSON.parse(found[7]?.body ?? '{}').status).toBe('Fraud')
  expect(records.map(({ address }) => address).toSorted()).toEqual(wallets.toSorted())
  const stored = await provider.lookup([{ network: 'ETH', address: wallets[7] ?? '' }], signal)
  expect(stored).toMatchObject([found[7]])
})
