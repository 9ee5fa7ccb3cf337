/**
 * An index that begins after everybody acted, as a caller with `calculate: true` meets it: node, indexer, bus, tables, verdicts.
 */
import { parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { loadWalletCoverage } from '../../../api/answers/providers/explanations/explain.ts'
import { createFraudProvider } from '../../../api/answers/providers/fraud.ts'
import { createPasts } from '../../../api/answers/providers/pasts.ts'
import { createPastTopic } from '../../../indexer/history/past-topic.ts'
import { createFetchPast } from '../../../indexer/history/wallets/fetch.ts'
import { createWalletHistories } from '../../../indexer/history/wallets/index.ts'
import { createPastWorker } from '../../../indexer/history/wallets/worker.ts'
import { createIndexer } from '../../../indexer/index.ts'
import { decodeBlock } from '../../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../../indexer/source/evm/index.ts'
import { createRpcPool } from '../../../platform/rpc/pool.ts'
import { fraudBody } from '../../../schema/records/fraud.ts'
import { topics } from '../../../schema/topics.ts'
import { poolsMissing } from '../../../scorer/contracts/stakeholders/missing-pools.ts'
import { createIngest } from '../../../scorer/ingest/ingest.ts'
import { createRescore } from '../../../scorer/rescore/rescore.ts'
import { createScoring } from '../../../scorer/rescore/stream.ts'
import { createWalletModel } from '../../../scorer/scoring/model/wallet-model.ts'
import { type Anvil, startAnvil } from '../../kit/chain/anvil.ts'
import { accountNamed, placeAuthorities } from '../../kit/chain/authorities.ts'
import { type Provider, type ProviderRules, startProvider } from '../../kit/chain/provider.ts'
import { createHistories, type Histories } from '../../kit/chain/wallet-histories.ts'
import { testContext } from '../../kit/context.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { until as untilWithin } from '../../kit/until.ts'
import { temporaryBus } from '../recorded/recorded.helpers.ts'

const network = 'ETH'
const HISTORY = 8
/** Of a machine that is busy with other tests. */
const PATIENCE_MS = 300_000
const until: typeof untilWithin = (what, check) => untilWithin(what, check, PATIENCE_MS)
const [thief, honest, nobody] = ['thief', 'honest', 'nobody'].map((name) => accountNamed(name).toLowerCase()) as [
  string,
  string,
  string,
]

let anvil: Anvil
let histories: Histories
let kit: TestStore
let stops: (() => Promise<unknown>)[] = []

type Shared = { bus: Awaited<ReturnType<typeof temporaryBus>>['bus']; node: Provider }

const share = async (rules: ProviderRules = {}): Promise<Shared> => {
  const { bus, close } = await temporaryBus()
  stops.push(close)
  const node = await startProvider(anvil.url, rules)
  stops.push(node.stop)
  return { bus, node }
}

/** Indexer, scorer and what the API does with `calculate`, as one thing that can be stopped. */
const start = async ({ bus, node }: Shared, { waitMs = PATIENCE_MS, deadlineMs = PATIENCE_MS } = {}) => {
  const context = testContext()
  const { store } = kit
  const pool = createRpcPool({ context, network, urls: [node.url], startRate: 5_000 })
  const common = { context, network, urls: [node.url], pool, decode: decodeBlock, pollMs: 200 } as const
  const source = createEvmSource(common)
  const pastSource = createEvmSource({ ...common, tokenMetadata: false })
  const histories = createWalletHistories({ context, network, pool })
  const pasts = createPastWorker({
    context,
    network,
    bus,
    source,
    topic: createPastTopic(),
    deadlineMs,
    fetchPast: createFetchPast({ context, network, source: pastSource, pool, histories, maxBlocks: 200 }),
  })
  const indexer = createIndexer({
    context,
    network,
    source,
    bus,
    pasts,
    options: { historyBlocks: HISTORY, idleMs: 50 },
  })
  const ingest = createIngest({
    context,
    network,
    store,
    bus,
    options: { minIntervalMs: 300, moveAfterMs: 300, keepHotMs: 0 },
  })
  const rescore = createRescore({ context, store, model: createWalletModel() })
  const scoring = await createScoring({ context, networks: [network], store, bus, rescore })
  const running = Promise.all([indexer.run(), ingest.run(), scoring.done])
  running.catch(() => undefined)
  await bus.createTopics([{ topic: topics.pasts(network), partitions: 1 }])
  const producer = await bus.producer()
  const known = createPasts({ context, store, producer, budgetMs: waitMs })
  const provider = createFraudProvider({ store, rescore, clock: context.clock, publish: async () => undefined })
  const head = await anvil.blockNumber()
  const stop = async () => {
    await scoring.close()
    await context.lifecycle.close()
    await running
    await producer.close()
    await source.close()
    await pastSource.close()
  }
  stops.unshift(stop)
  await until('the head is indexed', async () => {
    const [row] = await store.query<{ head: number }>('SELECT max(block_number) AS head FROM blocks_all')
    return (row?.head ?? 0) >= head
  })
  return {
    stop: async () => {
      stops = stops.filter((one) => one !== stop)
      await stop()
    },
    /** As a call with `calculate: true` does it. */
    calculate: async (address: string) => {
      const past = await known.fetch({ network, address })
      const record = await provider.compute({ network, address }, new AbortController().signal)
      return { why: past.why, body: record && fraudBody.parse(JSON.parse(record.body)) }
    },
    /** As a rug check of a token does it. */
    poolsMissing: (token: string) => poolsMissing(store, network, token, known.findPools),
    verdict: async (address: string) => (await rescore.rescore(network, [address], Date.now()))[0]!,
    record: async (address: string) => {
      const [record] = await provider.lookup([{ network, address }], new AbortController().signal)
      return record && fraudBody.parse(JSON.parse(record.body))
    },
    coverage: async (address: string) => (await loadWalletCoverage(store, { network, address })).wallet,
    rows: async () => {
      const counts: Record<string, number> = {}
      for (const table of ['transactions_past', 'ledger_past', 'approvals_past', 'facts_past']) {
        const [row] = await store.query<{ rows: number }>(
          `SELECT toUInt32(count()) AS rows FROM ${table} FINAL WHERE network = {network:String}`,
          { network },
        )
        counts[table] = row!.rows
      }
      return counts
    },
  }
}

beforeAll(async () => {
  kit = await openTestStore()
  anvil = await startAnvil({ slotsInAnEpoch: 1 })
  await placeAuthorities(anvil)
  histories = await createHistories(anvil)
  await histories.fund('thief', parseEther('1'))
  for (const victim of ['v1', 'v2', 'v3', 'v4']) await histories.threaten('thief', victim)
  await histories.fund('honest', parseEther('9'))
  await histories.wrap('honest', 'shop')
  await histories.dollars('honest', 5_000_000n)
  await anvil.mine(40)
  // The newest blocks, which are all that an index with so little history sees: the honest one pays out what came in before.
  for (const friend of ['f1', 'f2', 'f3'])
    await histories.send('honest', { to: accountNamed(friend), value: parseEther('2') })
  await anvil.mine(3)
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await kit.truncate()
})
afterAll(async () => {
  await anvil?.stop()
  await kit?.close()
})

test('finds an offence from before the index, clears an honest payer, and a second request changes nothing', async () => {
  const product = await start(await share())
  // Without their pasts: the thief was never seen, and of the payer it is not known where the money came from.
  expect(await product.verdict(thief)).toMatchObject({ seen: false })
  expect(await product.coverage(honest)).toMatchObject({ past: 'unknown', fetched: null })
  expect((await product.verdict(honest)).unknowns.some((one) => one.startsWith('probabilityFraud'))).toBe(true)

  const { why, body } = await product.calculate(thief)
  expect(why).toBeUndefined()
  expect(body).toMatchObject({ status: 'Fraud', forensic_details: { blackmail_activities: '1' } })
  expect(await product.coverage(thief)).toMatchObject({
    past: 'whole',
    why: null,
    fetched: { sent: true, native: true, tokens: true, transactions: 4, sources: ['logs', 'otterscan'], why: null },
  })

  const payer = await product.calculate(honest)
  expect(payer.body?.status).not.toBe('Fraud')
  expect(Object.values(payer.body!.forensic_details)).not.toContain('1')
  expect((await product.verdict(honest)).unknowns.filter((one) => one.includes('the past of the wallet'))).toEqual([])
  const [first] = await kit.store.query<Record<string, string>>(
    `SELECT toString(sent) AS sent, toString(native_in) AS native_in, toString(token_in_count) AS token_in
      FROM wallet_features_whole WHERE network = {network:String} AND address = {honest:String}`,
    { network, honest },
  )
  // What came in before, and four coins that were unwrapped; three payments of the stream, four transactions of the past.
  expect(first).toEqual({ sent: '7', native_in: String(parseEther('9.2')), token_in: '1' })

  const before = await product.rows()
  expect(before.transactions_past).toBeGreaterThan(0)
  // A token that is older than the index, and that no exchange announced: it is known to have no pool.
  const token = accountNamed('an old token').toLowerCase()
  expect(await poolsMissing(kit.store, network, token, undefined)).toMatch(
    /^pools created before block \d+ are unknown/,
  )
  expect(await product.poolsMissing(token)).toBeUndefined()
  const again = await product.calculate(honest)
  expect(again.body).toMatchObject({ status: payer.body!.status, forensic_details: payer.body!.forensic_details })
  expect(await product.rows()).toEqual(before)
})

test('stores a repeated history, and one interrupted by a crash, once', async () => {
  let held = true
  const shared = await share({
    answers: {
      ots_searchTransactionsBefore: async (_, real) => {
        if (held) throw new Error('the line is dead')
        return real()
      },
    },
  })
  const first = await start(shared, { waitMs: 1 })
  // Asked for and not waited for: the answer of the caller is open.
  expect((await first.calculate(thief)).body).toBeUndefined()
  await first.stop()
  held = false
  const second = await start(shared)
  await until(
    'the past that was asked for before the crash',
    async () => (await second.record(thief))?.status === 'Fraud',
  )
  const rows = await second.rows()
  // The same again, as a replica that asks at the same time has it.
  const producer = await shared.bus.producer()
  await producer.send([
    { topic: topics.pasts(network), messages: [{ value: Buffer.from(JSON.stringify({ address: thief })) }] },
  ])
  await producer.close()
  await until(
    'it was fetched again',
    async () => (await shared.bus.lag(`pasts.${network}`, topics.pasts(network))) === 0n,
  )
  await until(
    'it was stored',
    async () => (await shared.bus.lag(`ingest.past.${network}`, topics.past(network))) === 0n,
  )
  expect(await second.rows()).toEqual(rows)
})

test('when logs take longer than the caller waits, the answer names what is missing, and the record is computed again later', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const word = honest.slice(2).padStart(64, '0')
  const product = await start(
    await share({
      answers: {
        eth_getLogs: async (params, real) => {
          if (JSON.stringify(params).includes(word)) await released
          return real()
        },
      },
    }),
    { waitMs: 5_000 },
  )
  const { why, body } = await product.calculate(honest)
  expect(why).toBe('tokens: the search is still running')
  expect(body?.status).not.toBe('Fraud')
  const open = async () => {
    const [row] = await kit.store.query<{ unknowns: string[] }>(
      'SELECT unknowns FROM wallet_records WHERE network = {network:String} AND address = {honest:String} ORDER BY version DESC LIMIT 1',
      { network, honest },
    )
    return row?.unknowns.filter((one) => one.includes('past of the wallet')) ?? ['there is no record']
  }
  expect(await product.coverage(honest)).toMatchObject({
    past: 'fresh',
    fetched: { sent: true, native: true, tokens: false },
  })
  expect((await product.verdict(honest)).unknowns.some((one) => one.includes('past of the wallet'))).toBe(true)
  // Nobody asks again.
  release()
  await until('the past is whole', async () => (await product.coverage(honest)).past === 'whole')
  await until('the record says so', async () => (await open()).length === 0)
})

test('a wallet without transactions is known as such, one whose history cannot be fetched is not', async () => {
  const product = await start(await share())
  expect(await product.calculate(nobody)).toEqual({ why: undefined, body: undefined })
  await product.stop()
  await kit.truncate()

  const gone = () => ({ error: { code: -32_000, message: 'missing trie node' } })
  const pruned = await start(
    await share({ answers: { eth_getBalance: gone, eth_getTransactionCount: gone, eth_getCode: gone } }),
  )
  const { why, body } = await pruned.calculate(nobody)
  expect(body).toBeUndefined()
  expect(why).toMatch(/no endpoint has the state of block|it may have existed/)
})

test('a backfill of the same blocks does not duplicate fetched history', async () => {
  const product = await start(await share())
  await product.calculate(honest)
  const features = async () =>
    kit.store.query<Record<string, string>>(
      `SELECT toString(sent) AS sent, toString(native_in) AS native_in FROM wallet_features_whole
        WHERE network = {network:String} AND address = {honest:String}`,
      { network, honest },
    )
  const before = await features()
  // Every row of the past tier, as a backfill of its blocks would bring it.
  const columns = 'SELECT * FROM transactions_past FINAL'
  await kit.store.command(`INSERT INTO transactions ${columns}`)
  await kit.store.command('INSERT INTO ledger SELECT * FROM ledger_past FINAL')
  await kit.store.command(
    `INSERT INTO blocks (network, block_number, block_time, block_hash, parent_hash, transaction_count, sees_traces)
      SELECT network, min(block_number), min(block_time), 'x', 'y', 1, 1 FROM transactions_past GROUP BY network`,
  )
  expect(await features()).toEqual(before)
})
