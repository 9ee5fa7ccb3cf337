/**
 * An index that begins long after the authorities spoke, as a person meets it: a node, the indexer with its walk, ingest,
 * stream scoring, readiness, and `calculate: true`, over the tables.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFraudProvider } from '../../../api/answers/providers/fraud.ts'
import { createAuthorityLogs } from '../../../deploy/process/networks/authorities.ts'
import { createHeights } from '../../../deploy/process/networks/heights.ts'
import { createOverview } from '../../../deploy/process/networks/overview.ts'
import { createVerdicts } from '../../../deploy/process/networks/verdicts.ts'
import { createAuthorityLogReader } from '../../../indexer/history/authorities/reader.ts'
import { createAuthorityWalk } from '../../../indexer/history/authorities/walk.ts'
import { createIndexer } from '../../../indexer/index.ts'
import { decodeBlock } from '../../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../../indexer/source/evm/index.ts'
import { createRpcPool } from '../../../platform/rpc/pool.ts'
import { fraudBody } from '../../../schema/records/fraud.ts'
import { createIngest } from '../../../scorer/ingest/ingest.ts'
import { createAskAuthorities } from '../../../scorer/ledger/authorities/ask.ts'
import { createRescore } from '../../../scorer/rescore/rescore.ts'
import { createScoring } from '../../../scorer/rescore/stream.ts'
import { createWalletModel } from '../../../scorer/scoring/model/wallet-model.ts'
import { type Anvil, startAnvil } from '../../kit/chain/anvil.ts'
import { accountNamed, type LocalAuthorities, placeAuthorities } from '../../kit/chain/authorities.ts'
import { type Provider, type ProviderRules, startProvider } from '../../kit/chain/provider.ts'
import { testContext } from '../../kit/context.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { until as untilWithin } from '../../kit/until.ts'
import { temporaryBus } from '../recorded/recorded.helpers.ts'

const network = 'ETH'
const HISTORY = 8
const until: typeof untilWithin = (what, check) => untilWithin(what, check, PATIENCE_MS)
/** Of a machine that is busy with other tests. */
const PATIENCE_MS = 300_000
const [listed, delisted, frozen, clean, fresh] = ['listed', 'delisted', 'frozen', 'clean', 'fresh'].map((name) =>
  accountNamed(name).toLowerCase(),
) as [string, string, string, string, string]

let anvil: Anvil
let authorities: LocalAuthorities
let kit: TestStore
let node: Provider
let stops: (() => Promise<void>)[] = []

const openBus = async () => {
  const bus = await temporaryBus()
  stops.push(bus.close)
  return bus.bus
}

/** Everything between the node and the API, as one thing that can be stopped. */
const start = async (bus: Awaited<ReturnType<typeof openBus>>, { asks = true } = {}) => {
  const context = testContext()
  const { store } = kit
  const pool = createRpcPool({ context, network, urls: [node.url], startRate: 5_000 })
  const source = createEvmSource({ context, network, urls: [node.url], pool, decode: decodeBlock, pollMs: 200 })
  const reader = createAuthorityLogReader({ context, network, pool })
  const walk = createAuthorityWalk({ context, network, source, reader, bus, reportMs: 0 })
  const options = { historyBlocks: HISTORY, idleMs: 50 }
  const indexer = createIndexer({ context, network, source, bus, authorities: walk, options })
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
  const networks = [network] as const
  const overview = createOverview(context, {
    board: { read: async () => [], lastIndexing: () => undefined },
    heights: createHeights(context, store, networks),
    authorities: createAuthorityLogs(context, store, networks, true),
    verdicts: createVerdicts(context, bus, store),
    networks,
  })
  const provider = createFraudProvider({
    store,
    rescore,
    clock: context.clock,
    publish: async () => undefined,
    ...(asks && {
      askAuthorities: createAskAuthorities(context, { [network]: pool }, { deadlineMs: 60_000, timeoutMs: 20_000 }),
    }),
  })
  const stop = async () => {
    await scoring.close()
    await context.lifecycle.close()
    await running
    await source.close()
  }
  stops.unshift(stop)
  return {
    readiness: overview.readiness,
    status: async () => (await overview.status())[0],
    ready: () => until('the network is ready', async () => (await overview.readiness()).ready),
    stop: async () => {
      stops = stops.filter((one) => one !== stop)
      await stop()
    },
    calculate: async (address: string) => {
      const record = await provider.compute({ network, address }, new AbortController().signal)
      return record && fraudBody.parse(JSON.parse(record.body))
    },
    /** The stored record, without asking anybody. */
    record: async (address: string) => {
      const [record] = await provider.lookup([{ network, address }], new AbortController().signal)
      return record && fraudBody.parse(JSON.parse(record.body))
    },
    unknowns: async (address: string) => {
      const [verdict] = await rescore.rescore(network, [address], Date.now())
      return verdict!.unknowns.filter((text) => /^(sanctioned|blacklist_doubt|mixer):/.test(text))
    },
  }
}

const pay = async (from: string, to: string) => {
  await anvil.rpc('anvil_setBalance', from, '0xde0b6b3a7640000')
  await anvil.rpc('anvil_impersonateAccount', from)
  await anvil.rpc('eth_sendTransaction', { from, to, value: '0x1' })
}
const flagsOf = (body: Awaited<ReturnType<Awaited<ReturnType<typeof start>>['record']>>) =>
  body && {
    status: body.status,
    sanctioned: body.forensic_details.sanctioned,
    frozen: body.forensic_details.blacklist_doubt,
  }
const SANCTIONED = { status: 'Fraud', sanctioned: '1', frozen: '0' }
const FROZEN = { status: 'Fraud', sanctioned: '0', frozen: '1' }

beforeAll(async () => {
  kit = await openTestStore()
  anvil = await startAnvil({ slotsInAnEpoch: 1 })
  authorities = await placeAuthorities(anvil)
  await authorities.sanction(listed, delisted)
  await authorities.freeze(frozen)
  await authorities.delist(delisted)
  for (let time = 0; time < 20; time += 1) {
    await authorities.chatter()
    await anvil.mine(10)
  }
})

/** Everybody moves in the newest blocks, which are all that an index with so little history sees. */
const everybodyMoves = async () => {
  for (const address of [listed, delisted, frozen, clean]) await pay(address, accountNamed('shop'))
  await anvil.mine(2)
}

beforeEach(everybodyMoves)

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await node.stop()
  await kit.truncate()
})
afterAll(async () => {
  await anvil?.stop()
  await kit?.close()
})

const provider = async (rules: ProviderRules = {}) => {
  node = await startProvider(anvil.url, rules)
}

test('the first ready answer includes listings from long before the index, and a later delisting', async () => {
  await provider()
  const product = await start(await openBus(), { asks: false })
  await product.ready()
  // Nobody is asked at the head: the logs alone have to know it.
  expect(await product.unknowns(clean)).toEqual([])
  const { sanctionData, ...first } = (await product.calculate(listed))!
  expect(flagsOf(first as never)).toEqual(SANCTIONED)
  expect(sanctionData[0]).toMatchObject({ isSanctioned: true })
  expect(sanctionData[0]!.description).toContain('listed in tx 0x')
  expect(flagsOf(await product.calculate(frozen))).toEqual(FROZEN)
  expect(flagsOf(await product.calculate(delisted))).toMatchObject({ sanctioned: '0', frozen: '0' })
  expect(await product.status()).toMatchObject({ network, authorities: { part: 1, missing: {} } })

  await authorities.delist(listed)
  await authorities.release(frozen)
  await anvil.mine(3)
  await until('the delisting is in the record', async () => flagsOf(await product.record(listed))?.sanctioned === '0')
  await until('the release is in the record', async () => flagsOf(await product.record(frozen))?.frozen === '0')
  await authorities.sanction(listed)
  await authorities.freeze(frozen)
  await anvil.mine(3)
  await until('the new listing is in the record', async () => flagsOf(await product.record(listed))?.sanctioned === '1')
})

test('a network is not ready before the logs are read, reports their progress, and continues after a kill', async () => {
  let held = true
  await provider({ range: { max: 20, error: () => ({ code: -32_602, message: 'Max range: 20' }) } })
  node.rules.onLogs = (from) => {
    if (held && from > 60) throw new Error('the line is dead')
  }
  const bus = await openBus()
  const first = await start(bus)
  const stuck = await until('blocks are stored and logs are read in part', async () => {
    const status = await first.status()
    const { ready, reasons } = await first.readiness()
    const part = status?.authorities?.part ?? 0
    return !ready && part > 0 && reasons.length === 1 && (status?.stored ?? 0) > 0 ? reasons : undefined
  })
  expect(stuck[0]).toMatch(/^ETH does not know all logs of its authorities \(\d+ % read/)
  expect(await first.unknowns(clean)).toHaveLength(3)
  await until('the wallet has a record', () => first.record(clean))
  await first.stop()
  held = false
  const unsure = async () => {
    const [row] = await kit.store.query<{ unknowns: string[] }>(
      'SELECT unknowns FROM wallet_records WHERE address = {address:String} ORDER BY version DESC LIMIT 1',
      { address: clean },
    )
    return row!.unknowns.some((text) => text.includes('log of the authority'))
  }
  const second = await start(bus)
  await second.ready()
  // What was scored while the logs were read is not served from the moment on at which the network is ready.
  expect(flagsOf(await second.record(listed))).toEqual(SANCTIONED)
  expect(await unsure()).toBe(false)
  expect(flagsOf(await second.calculate(listed))).toEqual(SANCTIONED)
  expect(await second.unknowns(clean)).toEqual([])
})

test.each([false, true])(
  'history that the node lacks is never a clean answer; a query at the head decides instead (silently: %s)',
  async (silently) => {
    for (let time = 0; time < 5; time += 1) {
      await authorities.chatter()
      await anvil.mine(10)
    }
    await everybodyMoves()
    const below = (await anvil.blockNumber()) - 30
    await provider({ pruned: { below, silently } })
    const product = await start(await openBus())
    await until('the walk has come to its end', async () => {
      const { missing = {} } = (await product.status())?.authorities ?? {}
      return Object.values(missing).some((why) => why.includes('no endpoint has logs'))
    })
    expect((await product.readiness()).ready).toBe(false)
    await until('the wallet is stored', async () => (await product.unknowns(clean)).length === 3)

    // The question at the head closes what the log leaves open, and is kept for verdicts that ask nobody.
    expect(flagsOf(await product.calculate(listed))).toEqual(SANCTIONED)
    expect(flagsOf(await product.calculate(frozen))).toEqual(FROZEN)
    const { sanctionData } = (await product.calculate(listed))!
    expect(sanctionData).toMatchObject([{ isSanctioned: true, name: 'sanctions-oracle' }])
    expect(sanctionData[0]!.description).toMatch(/isSanctioned\(address\) at block \d+/)
    expect(await product.unknowns(listed)).not.toContainEqual(expect.stringMatching(/^sanctioned:/))
    expect(flagsOf(await product.record(listed))).toEqual(SANCTIONED)

    // Taken back by the authority, it is taken back here: by the log, and by the next question.
    await authorities.delist(listed)
    await authorities.release(frozen)
    await anvil.mine(3)
    expect(flagsOf(await product.calculate(frozen))).toMatchObject({ frozen: '0' })
    await until('the delisting is in the record', async () => flagsOf(await product.record(listed))?.sanctioned === '0')
    await authorities.sanction(listed)
    await authorities.freeze(frozen)
  },
)

test('answers with an unknown flag when a node does not respond in time', async () => {
  await provider()
  const product = await start(await openBus())
  await product.ready()
  const context = testContext()
  const slow = createAskAuthorities(
    context,
    { [network]: createRpcPool({ context, network, urls: ['http://127.0.0.1:9'], startRate: 5_000 }) },
    { deadlineMs: 300, timeoutMs: 200 },
  )
  const rescore = createRescore({ context, store: kit.store, model: createWalletModel() })
  const [verdict] = await rescore.rescore(network, [clean], Date.now(), { asking: slow(network, clean) })
  expect(verdict!.unknowns).toContainEqual(
    expect.stringMatching(/^sanctioned: the authority could not be asked at the head/),
  )
  const [known] = await rescore.rescore(network, [listed], Date.now(), { asking: slow(network, listed) })
  expect(known).toMatchObject({ status: 'Fraud' })
})

test('answers about an unseen wallet that an authority lists', async () => {
  await provider()
  const product = await start(await openBus())
  await product.ready()
  expect(await product.calculate(fresh)).toBeUndefined()
  await authorities.sanction(fresh)
  expect(flagsOf(await product.calculate(fresh))).toEqual(SANCTIONED)
})
