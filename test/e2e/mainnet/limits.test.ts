/** Twenty million blocks behind the limits that providers have: what is read, in how many questions, and what is given up. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createAuthorityLogReader } from '../../../indexer/history/authorities/reader.ts'
import { createAuthorityWalk } from '../../../indexer/history/authorities/walk.ts'
import { createFetchPast } from '../../../indexer/history/wallets/fetch.ts'
import { createWalletHistories } from '../../../indexer/history/wallets/index.ts'
import { decodeBlock } from '../../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../../indexer/source/evm/index.ts'
import { createRpcPool } from '../../../platform/rpc/pool.ts'
import { type AuthorityRow, type BlockRef, emptyRows } from '../../../schema/block.ts'
import { authorityLogsOf } from '../../../schema/registry/authorities.ts'
import { DEX_FACTORIES, type DexFactory } from '../../../schema/registry/contracts.ts'
import { decodeBlocks, encodeBlocks, stamp, topics } from '../../../schema/topics.ts'
import { createMemoryBus } from '../../kit/bus/memory-bus.ts'
import { announce, CONTRACTS } from '../../kit/chain/mainnet/actions.ts'
import { createMainnet, type Mainnet } from '../../kit/chain/mainnet/chain.ts'
import { type Limits, PLANS } from '../../kit/chain/mainnet/limits.ts'
import { type MainnetNode, startMainnetNode } from '../../kit/chain/mainnet/node.ts'
import { addressOf, createSchedule } from '../../kit/chain/mainnet/residents.ts'
import { testContext } from '../../kit/context.ts'
import { THOROUGH } from '../../kit/thorough.ts'

const network = 'ETH'
const HEIGHT = 20_000_000
/** First block of the stream. */
const FIRST = HEIGHT - 1_000
/** Freezes of the crowd, three sanctions, a freeze, a delisting and a deposit into the mixer. */
const EVENTS_TOLD = 40 + 3 + 1 + 1 + 1

let chain: Mainnet
let stops: (() => Promise<unknown>)[] = []

/** A token of many years ago, and its pools: by factory, by what announced them. */
const TOKEN = addressOf('an old token')
const factory = (kind: DexFactory['kind']) =>
  [...DEX_FACTORIES[network].values()].find((one) => one.kind === kind)?.address ?? ''
const idOf = (name: string) => `0x${addressOf(name).slice(2).padEnd(64, '0')}`
const CURVE = addressOf('three coins')
const POOLS = [
  [5_100_000, announce.pair(factory('v2'), TOKEN, CONTRACTS.usdc, addressOf('first pool')), addressOf('first pool')],
  [
    6_600_000,
    announce.tricrypto(factory('curve'), [CONTRACTS.usdc, TOKEN, CONTRACTS.usdt], CURVE),
    CURVE,
    `${CURVE}:0:2`,
    `${CURVE}:1:2`,
  ],
  [9_100_000, announce.pair(factory('v2'), CONTRACTS.usdt, TOKEN, addressOf('second pool')), addressOf('second pool')],
  [14_100_000, announce.balancer(factory('balancer-v2'), CONTRACTS.usdc, TOKEN, idOf('third')), idOf('third')],
  [18_100_000, announce.v4(factory('v4'), CONTRACTS.usdc, TOKEN, idOf('fourth')), idOf('fourth')],
] as const
/** Whose pool no node without traces can name. */
const UNNAMED = addressOf('an unnamed token')
const OTHERS = [
  [5_200_000, announce.plain(factory('curve'), [UNNAMED, CONTRACTS.usdc])],
  // Not a registered factory, and not the token.
  [6_100_000, announce.pair(addressOf('no factory'), TOKEN, CONTRACTS.usdc, addressOf('no pool'))],
  [7_100_000, announce.pair(factory('v2'), CONTRACTS.usdt, CONTRACTS.usdc, addressOf('dollars'))],
  [8_100_000, announce.balancer(factory('balancer-v2'), CONTRACTS.usdc, CONTRACTS.usdt, idOf('dollars'))],
] as const

beforeAll(async () => {
  const exchanges = [...POOLS, ...OTHERS].map(([block, tx]) => ({ block, ...tx }))
  chain = await createMainnet({ height: HEIGHT, schedule: [...createSchedule(HEIGHT), ...exchanges] })
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})
afterAll(() => {
  stops = []
})

const open = async (limits: Limits) => {
  const node: MainnetNode = await startMainnetNode(chain, limits)
  const context = testContext()
  stops.push(node.stop, () => context.lifecycle.close())
  const urls = [node.url]
  const pool = createRpcPool({ context, network, urls, startRate: 20_000 })
  const source = createEvmSource({ context, network, urls, pool, decode: decodeBlock, tokenMetadata: false })
  stops.push(source.close)
  return { node, context, pool, source }
}

/** Reads the logs of authorities up to the first block of the stream. */
const walk = async (limits: Limits) => {
  const { node, context, pool, source } = await open(limits)
  const bus = createMemoryBus()
  await bus.createTopics([
    { topic: topics.history(network), partitions: 4 },
    { topic: topics.head(network), partitions: 1 },
  ])
  const block = { network, number: FIRST, hash: '0x1', parentHash: '0x0', time: 1, rows: emptyRows() } as const
  const messages = encodeBlocks([block]).map((message) => ({ ...stamp(message, 'log of the test'), partition: 0 }))
  await (await bus.producer()).send([{ topic: topics.history(network), messages }])
  const reader = createAuthorityLogReader({ context, network, pool })
  await createAuthorityWalk({ context, network, source, reader, bus }).run(AbortSignal.timeout(300_000))
  const told = bus.messages(topics.past(network)).map(decodeBlocks)
  const lines = told.flatMap(({ sections }) =>
    sections.flatMap(({ rows }) => rows.toString().split('\n').filter(Boolean)),
  )
  return {
    node,
    rows: lines.map((line) => JSON.parse(line) as AuthorityRow),
    states: told.findLast(({ logs }) => logs.length > 0)?.logs ?? [],
    questions: node.counts.calls.get('eth_getLogs') ?? 0,
  }
}

const fetchPast = async (name: string, limits: Limits, pools?: true, most = 500) => {
  const { node, context, pool, source } = await open(limits)
  const number = FIRST - 1
  const { hash, parentHash, timestamp } = chain.header(number) ?? { hash: '', parentHash: '', timestamp: '' }
  const to: BlockRef = { number, hash, parentHash, time: Number(timestamp) }
  const histories = createWalletHistories({ context, network, pool })
  const fetch = createFetchPast({ context, network, source, pool, histories, maxBlocks: most })
  const { state, rows } = await fetch(
    { address: addressOf(name), ...(pools && { pools }) },
    to,
    AbortSignal.timeout(200_000),
    async () => undefined,
  )
  const { sent, native, tokens, complete, why, pools_why: poolsWhy, sources } = state
  return { node, rows, said: { sent, native, tokens, complete, sources }, why, poolsWhy }
}

test('the genesis is that of Ethereum, so logs are read from their first block in the registry', async () => {
  const { source } = await open({})
  expect((await source.ref(0))?.hash).toBe('0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3')
  for (const number of [1, 46_147, 10_000_000, HEIGHT]) expect((await source.block({ number }))?.number).toBe(number)
})

test('10,000 results per call: reads all authority logs in some dozens of requests', async () => {
  const { rows, states, questions } = await walk(PLANS.infura)
  expect(rows).toHaveLength(EVENTS_TOLD)
  expect(states).toHaveLength(authorityLogsOf(network).length)
  const since = new Map(authorityLogsOf(network).map(({ authority, since }) => [authority, since]))
  for (const state of states) {
    const begin = since.get(state.authority) ?? 0
    // Of authorities that are younger than the first covered block there is nothing to read.
    expect(state).toMatchObject({ complete: 1, since: begin, to_block: Math.max(FIRST, begin) - 1 })
  }
  expect(questions).toBeLessThan(100)
})

test.runIf(THOROUGH)(
  '10,000 blocks per call and a busy provider: reads all authority logs in about two thousand requests',
  async () => {
    const { rows, states, questions, node } = await walk({ ...PLANS.quicknode, perSecond: 400 })
    expect(rows).toHaveLength(EVENTS_TOLD)
    expect(states.every(({ complete }) => complete === 1)).toBe(true)
    // One for each range, and one proof for sixteen of them.
    expect(questions).toBeGreaterThan(2_000)
    expect(questions).toBeLessThan(2_600)
    expect(node.counts.limited).toBeGreaterThan(0)
  },
)

test.each([true, false])('a node that pruned most of the chain covers the rest (silently: %s)', async (silently) => {
  const below = 15_000_000
  const { states, rows } = await walk({ ...PLANS.infura, pruned: { below, silently } })
  expect(rows.every(({ block_number }) => block_number >= below)).toBe(true)
  for (const state of states.filter(({ since }) => since < FIRST)) {
    expect(state.complete).toBe(0)
    expect(state.reason).toMatch(
      /^no endpoint has logs of blocks below 15\d{6}$|^no endpoint has logs of blocks below 149999\d\d$/,
    )
  }
})

test.each<[string, Limits]>([
  ['ots_*', PLANS.erigon],
  ['trace_filter', { without: ['ots_'] }],
])('years of a wallet are whole to the wei by %s', async (_, limits) => {
  const { said, rows, node } = await fetchPast('honest', limits)
  expect(said).toMatchObject({ sent: 1, native: 1, tokens: 1, complete: 1 })
  expect(rows.transactions.length).toBeGreaterThan(20)
  // Providers sell calls: that logs are there is proved by few headers.
  const { calls } = node.counts
  expect((calls.get('eth_getBlockByNumber') ?? 0) / (calls.get('eth_getLogs') ?? 0)).toBeLessThan(7)
})

test('an archive node without an index gives the signed transactions', async () => {
  const { said, why } = await fetchPast('thief', PLANS.infura)
  expect(said).toMatchObject({ sent: 1, native: 0, tokens: 1, complete: 0 })
  expect(why).toBe('native: its payments do not add up to its balance')
})

test('a node without an archive proves nothing', async () => {
  const full = await fetchPast('honest', PLANS.geth)
  expect(full.said).toMatchObject({ sent: 0, native: 0, complete: 0 })
  expect(full.why).toContain(`no endpoint has the state of block ${FIRST - 1}`)
})

test.runIf(THOROUGH).each([true, false])(
  'the pruned history of a wallet is reported as missing, with or without an error (%s)',
  async (silently) => {
    const { said } = await fetchPast('honest', { ...PLANS.erigon, pruned: { below: 15_000_000, silently } })
    expect(said).toMatchObject({ sent: 0, native: 0, tokens: 0, complete: 0 })
  },
)

test('100,000 blocks per call: finds tokens with one POST per range, along several ranges at once', async () => {
  const asked: { from: number; questions: number }[] = []
  const onPost: Limits['onPost'] = (calls) => {
    const logs = calls.filter(({ method, params }) => {
      const [filter] = (params ?? []) as { topics?: unknown }[]
      return method === 'eth_getLogs' && filter?.topics !== undefined
    })
    const [filter] = (logs[0]?.params ?? []) as { fromBlock?: string }[]
    if (logs.length > 0) asked.push({ from: Number(filter?.fromBlock), questions: logs.length })
  }
  const { said } = await fetchPast('honest', { logBlocks: 100_000, onPost })
  expect(said).toMatchObject({ sent: 1, native: 1, tokens: 1, complete: 1 })
  expect(asked.length).toBeGreaterThanOrEqual(200)
  expect(asked.length).toBeLessThan(230)
  expect(new Set(asked.map(({ questions }) => questions))).toEqual(new Set([3]))
  // Where the chain is quiet at its beginning, it takes some headers to know that logs are there.
  const quarters = (some: typeof asked) => new Set(some.map(({ from }) => Math.floor((4 * from) / FIRST)))
  expect(quarters(asked.slice(0, 30)).size).toBeGreaterThanOrEqual(3)
  expect(quarters(asked)).toEqual(new Set([0, 1, 2, 3]))
})

test('10 blocks per call: gives up at once, with a reason, when millions of requests would be needed', async () => {
  const { said, why, node } = await fetchPast('honest', PLANS.free)
  expect(said).toMatchObject({ tokens: 0, complete: 0 })
  expect(why).toMatch(/tokens: endpoints answer for 10 blocks at a time, so that the other \d+ would take \d+ requests/)
  expect(node.counts.calls.get('eth_getLogs')).toBeLessThan(100)
})

test('finds all pools of a token that registered exchanges announced, with few requests to a provider without a range limit', async () => {
  const { rows, said, why, poolsWhy, node } = await fetchPast('an old token', PLANS.infura, true)
  expect({ said: said.sources, why, poolsWhy }).toEqual({
    said: 'factories',
    why: 'only its pools were searched',
    poolsWhy: '',
  })
  expect(rows.pools.map(({ pool, block_number }) => [block_number, pool])).toEqual(
    POOLS.flatMap(([block, , ...pools]) => pools.map((pool) => [block, pool])),
  )
  // Four in one POST.
  expect(node.counts.calls.get('eth_getLogs')).toBeLessThan(200)
})

test('without traces, the pools of a token are incomplete if one is announced without its address', async () => {
  const { said, poolsWhy } = await fetchPast('an unnamed token', PLANS.infura, true)
  expect({ sources: said.sources, poolsWhy }).toEqual({
    sources: '',
    poolsWhy:
      'the pool that block 5200000 announces could not be read, because there are no traces or it has too many tokens',
  })
})

test('a token with more pools than are read costs no blocks, and stays unknown', async () => {
  const { rows, said, poolsWhy } = await fetchPast('an old token', PLANS.infura, true, 3)
  expect({ poolsWhy, sources: said.sources, pools: rows.pools }).toEqual({
    poolsWhy: 'it appears in more than 3 blocks',
    sources: '',
    pools: [],
  })
})

test.each<[string, Limits, RegExp]>([
  ['pruned', { ...PLANS.infura, pruned: { below: 15_000_000 } }, /^no endpoint has logs of blocks below 1[45]/],
  [
    'pruned and silent',
    { ...PLANS.infura, pruned: { below: 15_000_000, silently: true } },
    /^no endpoint has logs of blocks below 1[45]/,
  ],
  ['10 blocks a call', PLANS.free, /^endpoints answer for 10 blocks at a time/],
])('the pools of a token are unknown when a node is limited: %s', async (_, limits, expected) => {
  const { said, poolsWhy } = await fetchPast('an old token', limits, true)
  expect(said).toMatchObject({ sources: '', complete: 0 })
  expect(poolsWhy).toMatch(expected)
})

test('100 blocks per trace_filter: gives up the other methods in time', async () => {
  const { said, node } = await fetchPast('honest', PLANS.reth)
  expect(said).toMatchObject({ sent: 1, tokens: 1 })
  expect(node.counts.calls.get('trace_filter')).toBeLessThan(100)
})
