/** Nodes of TRON that lie, refuse, lag or cost: each way on its own. */
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { keyHeader } from '../../../../indexer/source/provider-key.ts'
import { createTronSource, type TronSourceOptions } from '../../../../indexer/source/tron/index.ts'
import type { Context } from '../../../../platform/context/context.ts'
import { tronFromEvm } from '../../../../schema/address/index.ts'
import { familyOf } from '../../../../schema/networks.ts'
import { createTronChain } from '../../../kit/chain/tron/chain.ts'
import { startTronNode, type TronFaults, type TronNodeOptions } from '../../../kit/chain/tron/node.ts'
import { hex41, sendToken, sendTrx, trigger } from '../../../kit/chain/tron/transactions.ts'
import { counted, testContext } from '../../../kit/context.ts'
import { named } from '../../../kit/world/transactions.ts'

const who = (name: string) => tronFromEvm(named(name))
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const KEY = 'hunter2-hunter2-hunter2'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const chain = createTronChain()
for (let block = 1; block <= 60; block += 1) {
  chain.mine([
    sendTrx(who('ann'), who('bob'), BigInt(block)),
    sendToken(USDT, who('ann'), who('bob'), 5n),
    trigger(who('bob'), who('vault'), { internal: [{ from: who('vault'), to: who('ann'), value: 5n }] }),
  ])
}
const NUMBERS = [30, 31, 32, 33, 34]

const nodeOf = async (faults: TronFaults = {}, options: TronNodeOptions = {}) => {
  const node = await startTronNode(chain, { faults, ...options })
  open.push(node.stop)
  return node
}
const sourceOf = (urls: string[], options: Partial<TronSourceOptions> = {}, context: Context = testContext()) =>
  createTronSource({
    context,
    network: 'TRON',
    urls,
    tokenMetadata: false,
    finalEveryMs: 0,
    limitPauseMs: 20,
    ...options,
  })

test.each([
  ['forgedTransaction', 'transaction_hash'],
  ['cutTransactions', 'transactions_root'],
  ['forgedHeader', 'header_hash'],
  ['cutInfos', 'info_count'],
  ['noInfos', 'info_count'],
  ['otherBranch', 'info_block'],
] as const)('detects %s as %s, and makes no block of it', async (fault, check) => {
  const liar = await nodeOf({ [fault]: 1 })
  const honest = await nodeOf()
  const context = testContext()
  const source = sourceOf([liar.url, honest.url], {}, context)
  const truth = sourceOf([honest.url])
  for (const number of NUMBERS)
    expect(await source.raw({ number })).toMatchObject({ block: (await truth.raw({ number }))!.block })
  const noticed = await counted(context, 'assay_rpc_inconsistent_total', { check })
  expect(noticed).toBeGreaterThan(0)
  expect(await counted(context, 'assay_rpc_inconsistent_total')).toBe(noticed)
})

test('ignores fields that a node prints next to the signed bytes', async () => {
  const liar = await nodeOf({ forgedPrint: 1 })
  const honest = await nodeOf()
  const [lied, told] = await Promise.all([liar, honest].map(({ url }) => sourceOf([url]).block({ number: 30 })))
  expect(liar.counts.faults).toBeGreaterThan(0)
  expect(lied).toEqual(told)
})

test('infos that come late are waited for', async () => {
  const slow = await nodeOf({ noInfos: 0.6 })
  const source = sourceOf([slow.url])
  for (const number of NUMBERS) expect((await source.raw({ number }))?.infos).toHaveLength(3)
  expect(slow.counts.faults).toBeGreaterThan(0)
})

test.each([
  { refused: 0.3, status: 403 },
  { refused: 0.3, status: 429 },
  { refused: 0.3, status: 503 },
  { busy: 0.3 },
] as const)('refusals (%o) slow the source down without loss', async (faults) => {
  const node = await nodeOf({ ...faults })
  const source = sourceOf([node.url])
  for (const number of NUMBERS) expect(await source.raw({ number })).toBeDefined()
  expect(node.counts.faults).toBeGreaterThan(0)
})

test('pauses a refusing endpoint for 30 s unless it names a time', async () => {
  const node = await nodeOf({ refused: 1, status: 403 })
  const waits: number[] = []
  const context = testContext({
    now: Date.now,
    sleep: async (ms) => {
      waits.push(ms)
      node.misbehave({})
      throw new Error('stop here')
    },
  })
  const source = createTronSource({ context, network: 'TRON', urls: [node.url], tokenMetadata: false })
  await expect(source.raw({ number: 30 })).rejects.toThrow('stop here')
  expect(Math.max(...waits)).toBeGreaterThan(29_000)
  expect(node.counts.times).toHaveLength(1)
})

test('`{}` means absent: for a block, the newest and a solid one', async () => {
  const node = await nodeOf({ gaps: [30] })
  const source = sourceOf([node.url])
  expect(await source.block({ number: 30 })).toBeUndefined()
  expect(await source.ref(1_000)).toBeUndefined()
  node.misbehave({ empty: 1 })
  await expect(source.finalizedHead()).rejects.toMatchObject({ code: 'ASSAY_SOURCE_BLOCK_MISSING' })
})

test('a block without transactions needs no infos', async () => {
  const quiet = createTronChain()
  quiet.mine([], [])
  const node = await startTronNode(quiet)
  open.push(node.stop)
  expect(await sourceOf([node.url]).block({ number: 2 })).toMatchObject({ rows: { transactions: [] } })
  expect(node.counts.paths.get('/wallet/gettransactioninfobyblocknum')).toBeUndefined()
})

test('without the solidity API, blocks of enough depth are final', async () => {
  const node = await nodeOf({ withoutSolid: true })
  expect(await sourceOf([node.url]).finalizedHead()).toMatchObject({ number: chain.height() - 19 })
})

test('the first block is that of TRON: its ID, from the configuration of the software, ends in the chain ID', async () => {
  const source = sourceOf([(await nodeOf()).url])
  const first = await source.block({ number: 0 })
  expect(Number.parseInt(first!.hash.slice(-8), 16)).toBe(728_126_428)
  expect(first!.rows.ledger).toMatchObject([
    { address: '', direction: -1, amount: '99000000000000000' },
    { address: 'TLLM21wteSPs4hKjbxgmH1L6poyMjeTbHm', direction: 1, counterparty: '' },
  ])
})

test('refuses a node of another chain before reading from it', async () => {
  const other = await startTronNode({
    ...chain,
    at: (number) => (number === 0 ? { ...chain.at(1)!, infos: [] } : chain.at(number)),
  })
  open.push(other.stop)
  await expect(sourceOf([other.url]).verify()).rejects.toMatchObject({ code: 'ASSAY_SOURCE_WRONG_CHAIN' })
  await sourceOf([(await nodeOf()).url]).verify()
})

test('sends the key with every call, to TronGrid and loopback only, and never logs it', async () => {
  const node = await nodeOf({ refused: 0.3, status: 503, noInfos: 0.3 })
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const source = sourceOf([node.url], { apiKey: KEY }, { ...testContext(), log })
  for (const number of NUMBERS) await source.raw({ number })
  await source.raw({ number: 30, hash: 'ff'.repeat(32) })
  expect(node.counts.headers.length).toBeGreaterThan(10)
  for (const headers of node.counts.headers) expect(headers['tron-pro-api-key']).toBe(KEY)
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.join('')).not.toContain(KEY)
  const told = (url: string) => Object.values(keyHeader(url, familyOf('TRON').keyedProvider, KEY)).length === 1
  expect(['https://api.trongrid.io', 'https://trongrid.io/x', 'http://localhost:8090'].map(told)).toEqual([
    true,
    true,
    true,
  ])
  const others = [
    'http://api.trongrid.io',
    'https://trongrid.io.example',
    'https://eviltrongrid.io',
    'https://node.example',
  ]
  expect(others.map(told)).toEqual([false, false, false, false])
})

test('errors of a node that refuses everything contain no key', async () => {
  const node = await nodeOf({ refused: 1, status: 503, retryAfter: 0 })
  const failure = await sourceOf([node.url], { apiKey: KEY })
    .raw({ number: 30 })
    .catch((error: Error) => error)
  expect(failure).toMatchObject({ code: 'ASSAY_RPC_UNAVAILABLE' })
  expect(JSON.stringify(failure) + String(failure)).not.toContain(KEY)
})

test('delays calls beyond the plan', async () => {
  const node = await nodeOf()
  let now = 0
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms
    },
  }
  const source = sourceOf([node.url], { budget: { perSecond: 10, perDay: 100_000 } }, testContext(clock))
  for (const number of [...NUMBERS, ...NUMBERS]) await source.raw({ number })
  expect(node.counts.times).toHaveLength(20)
  expect(now).toBeGreaterThanOrEqual(1_000)
})

test('reading the head with its block costs two calls, and one more for the solid block every nine seconds', async () => {
  const node = await nodeOf()
  const source = sourceOf([node.url], { finalEveryMs: 9_000 })
  for (let look = 0; look < 5; look += 1) {
    const head = await source.head()
    await source.finalizedHead()
    await source.block({ number: head.number })
  }
  expect(Object.fromEntries(node.counts.paths)).toEqual({
    '/wallet/getnowblock': 5,
    '/wallet/gettransactioninfobyblocknum': 5,
    '/walletsolidity/getnowblock': 1,
  })
})

test('a clock set back does not hold the solid block', async () => {
  const node = await nodeOf()
  let now = 3_600_000
  const source = sourceOf(
    [node.url],
    { finalEveryMs: 9_000 },
    testContext({ now: () => now, sleep: async () => undefined }),
  )
  await source.finalizedHead()
  now = 0
  await source.finalizedHead()
  expect(node.counts.paths.get('/walletsolidity/getnowblock')).toBe(2)
})

test('uses the block that came with the head once, and asks the node again after a fork', async () => {
  const forking = createTronChain()
  forking.mine([sendTrx(who('ann'), who('bob'), 1n)], [sendTrx(who('ann'), who('bob'), 2n)])
  const node = await startTronNode(forking)
  open.push(node.stop)
  const source = sourceOf([node.url])
  await source.head()
  forking.fork(1, [sendTrx(who('ann'), who('bob'), 3n)])
  expect(await source.block({ number: 2 })).toMatchObject({ hash: forking.hashAt(2) })
})

test('requests names and decimals of tokens once, and keeps them with the blocks', async () => {
  const tokens = { [hex41(USDT)]: { name: 'Tether USD', symbol: 'USDT', decimals: 6 } }
  const node = await nodeOf({}, { tokens })
  const source = sourceOf([node.url], { tokenMetadata: true })
  const rows = []
  for (const number of NUMBERS) rows.push((await source.block({ number }))!.rows.tokens)
  const row = { token: USDT, standard: 'erc20', name: 'Tether USD', symbol: 'USDT', decimals: 6 }
  expect(rows).toMatchObject(NUMBERS.map((number) => [{ ...row, block_number: number }]))
  expect(node.counts.paths.get('/wallet/triggerconstantcontract')).toBe(3)
})
