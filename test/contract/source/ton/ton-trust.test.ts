/** Nodes of TON that lie, refuse, lag or cost: each way on its own. */
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'

import { createTonSource, type TonSourceOptions } from '../../../../indexer/source/ton/index.ts'
import { createV2 } from '../../../../indexer/source/ton/v2/api.ts'
import type { Context } from '../../../../platform/context/context.ts'
import { createHttpApi } from '../../../../platform/rpc/http-api.ts'
import { createRpcPool } from '../../../../platform/rpc/pool.ts'
import { createTonChain, halves, type TonChain, WHOLE } from '../../../kit/chain/ton/chain.ts'
import { startTonNode, type TonFaults } from '../../../kit/chain/ton/node.ts'
import { internalTransfer, pay, TON, type TonTx } from '../../../kit/chain/ton/transactions.ts'
import { account, createWorld } from '../../../kit/chain/ton/wallets.ts'
import { counted, testContext } from '../../../kit/context.ts'

const KEY = 'hunter2-hunter2-hunter2'
const names = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay', 'gus', 'hal'].map(account)
const [ann, bob] = names as [string, string]
/** Something happens in every shard, and twice to each account. */
const busy = (): TonTx[] => [...names, ...names].map((one, index) => pay(names[(index + 1) % names.length]!, one, TON))

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** One shard, then two, then three with three blocks each between, then one again. */
const chain = createTonChain()
const [LOW] = halves(WHOLE)
chain.mine(busy(), busy())
chain.split(WHOLE)
chain.mine(busy(), busy())
chain.split(LOW)
chain.pace(3)
chain.mine(busy(), busy())
chain.merge(LOW)
chain.mine(busy())
chain.merge(WHOLE)
chain.pace(1)
chain.mine(busy(), busy())
const NUMBERS = Array.from({ length: chain.height() - 1 }, (_, index) => index + 2)

const nodeOf = async (faults: TonFaults = {}, served: TonChain = chain, options: object = {}) => {
  const node = await startTonNode(served, { faults, ...options })
  open.push(node.stop)
  return node
}
/** Pauses pass at once. */
const hasty = () => {
  let now = 0
  return testContext({
    now: () => now,
    sleep: async (ms: number) => {
      now += ms
    },
  })
}
const sourceOf = (urls: string[], options: Partial<TonSourceOptions> = {}, context: Context = testContext()) =>
  createTonSource({ context, network: 'TON', urls, tokenMetadata: false, limitPauseMs: 20, ...options })

test('reads every block and transaction of shards exactly once through splits and merges', async () => {
  const { url } = await nodeOf()
  const source = sourceOf([url])
  const hashes: string[] = []
  const shards: number[] = []
  for (const number of [1, ...NUMBERS]) {
    const { block } = (await source.raw({ number }))!
    hashes.push(...block.transactions.map(({ hash }) => hash))
    shards.push(block.blocks.filter(({ id }) => id.workchain === 0).length)
    const times = block.transactions.map(({ lt }) => lt)
    expect(times).toEqual(times.toSorted((a, b) => (a < b ? -1 : 1)))
  }
  // Nothing the node made is missing: 16 transactions and a tick in each block of the masterchain.
  expect(hashes).toHaveLength(chain.height() * 17)
  expect(new Set(hashes).size).toBe(hashes.length)
  expect(shards).toEqual([1, 1, 2, 2, 9, 9, 6, 1, 1])
})

test.each([
  ['forgedTransaction', 'transaction_hash'],
  ['older', 'number'],
  ['lacksShard', 'shards'],
  ['otherBlock', 'transaction_lt'],
  ['cutTransactions', 'transaction_chain'],
  ['skipsBlock', 'parents'],
  ['oneParent', 'parents'],
] as const)('detects %s as %s, and makes no block of it', async (fault, check) => {
  const liar = await nodeOf({ [fault]: 1 })
  const honest = await nodeOf()
  const context = testContext()
  const source = sourceOf([liar.url, honest.url], {}, context)
  const truth = sourceOf([honest.url])
  const seen = () => counted(context, 'assay_rpc_inconsistent_total', { check })
  // Which of the two is asked is left to chance.
  for (let round = 0; round < 20 && (await seen()) === 0; round += 1) {
    for (const number of NUMBERS) expect(await source.block({ number })).toEqual(await truth.block({ number }))
  }
  const noticed = await seen()
  expect(noticed).toBeGreaterThan(0)
  expect(await counted(context, 'assay_rpc_inconsistent_total')).toBe(noticed)
})

const crowd = createTonChain()
crowd.mine(
  [pay(ann, bob, 1n)],
  Array.from({ length: 512 }, (_, index) =>
    pay(names[index % names.length]!, account(`guest ${index}`), BigInt(index + 1)),
  ),
)

test('reads a block larger than a page completely, even if the node calls a full page the last', async () => {
  for (const faults of [{}, { saysComplete: true }]) {
    const { url, counts } = await nodeOf(faults, crowd)
    const { block } = (await sourceOf([url]).raw({ number: 2 }))!
    expect(block.transactions).toHaveLength(513)
    // One page of the masterchain, three of the shard.
    expect(counts.methods.get('getBlockTransactionsExt')).toBe(4)
  }
})

test('refuses an endless list of made-up transactions', async () => {
  const { url } = await nodeOf({}, crowd)
  const api = createV2({ zeroState: '' })
  const pool = createRpcPool({
    context: testContext(),
    network: 'TON',
    urls: [url],
    postTo: (target) => createHttpApi(target, Date.now, api.http),
  })
  const askAtMost = (most: number) =>
    pool.attempt(async (node) => {
      const known = await api.tips(node, 1)
      const headers = await api.headers(node, await api.tips(node, 2), { seqno: 2, known })
      return (await api.transactions(node, headers, most)).length
    })
  expect(await askAtMost(512)).toBe(512)
  await expect(askAtMost(511)).rejects.toMatchObject({ code: 'ASSAY_RPC_INCONSISTENT' })
})

test.each(['manyParents', 'manyTips'] as const)(
  '%s: refuses a response that is too expensive to check',
  async (fault) => {
    const liar = await nodeOf({ [fault]: 1 })
    const source = sourceOf([liar.url], {}, hasty())
    await expect(source.raw({ number: 3 })).rejects.toMatchObject({ code: 'ASSAY_RPC_INCONSISTENT' })
  },
)

test('pages that never end are refused', async () => {
  const liar = await nodeOf({ endless: 1 })
  await expect(sourceOf([liar.url], {}, hasty()).raw({ number: 2 })).rejects.toMatchObject({
    code: 'ASSAY_RPC_INCONSISTENT',
  })
})

test.each([429, 500, 503] as const)('responses with status %i slow the source down without loss', async (status) => {
  const node = await nodeOf()
  const source = sourceOf([node.url])
  for (const number of NUMBERS.slice(0, 3)) {
    node.misbehave({ refusals: 2, status, retryAfter: 0 })
    expect((await source.raw({ number }))?.block.transactions).toHaveLength(17)
  }
})

test('asks an up-to-date node about a contract that a node behind does not know', async () => {
  const world = createWorld()
  const master = account('master')
  const of = world.jetton({ master })
  const late = createTonChain()
  late.mine([], [{ from: of(ann), account: of(bob), value: TON, body: internalTransfer({ from: ann, amount: 5n }) }])
  const options = { contracts: world.contracts }
  const stale = await nodeOf({ knowsNoContract: true }, late, options)
  const current = await nodeOf({}, late, options)
  const moves = async (urls: string[]) => {
    const block = await sourceOf(urls).block({ number: 2 })
    return block!.rows.ledger.filter(({ kind }) => kind === 'fungible').length
  }
  expect(await moves([current.url])).toBe(2)
  // A node that has the block is believed when it denies.
  expect(await moves([stale.url])).toBe(0)
})

test('asks a catching-up node again about a contract that it does not know', async () => {
  const world = createWorld()
  const of = world.jetton({ master: account('master') })
  const late = createTonChain()
  late.mine([], [{ from: of(ann), account: of(bob), value: TON, body: internalTransfer({ from: ann, amount: 5n }) }])
  const node = await nodeOf({ catchesUp: true }, late, { contracts: world.contracts })
  const block = await sourceOf([node.url]).block({ number: 2 })
  expect(block!.rows.ledger.filter(({ kind }) => kind === 'fungible')).toHaveLength(2)
})

test('contracts are asked once, and remembered', async () => {
  const world = createWorld()
  const of = world.jetton({ master: account('master'), name: 'A', symbol: 'B' })
  const tx = { from: of(ann), account: of(bob), value: TON, body: internalTransfer({ from: ann, amount: 5n }) }
  const steady = createTonChain()
  steady.mine([tx], [tx, tx], [tx])
  const node = await nodeOf({}, steady, { contracts: world.contracts })
  const source = sourceOf([node.url], { tokenMetadata: true })
  const rows = []
  for (const number of [1, 2, 3])
    rows.push((await source.block({ number }))!.rows.ledger.filter(({ asset }) => asset !== ''))
  expect(rows.map(({ length }) => length)).toEqual([2, 4, 2])
  expect(node.counts.methods.get('runGetMethod')).toBe(3)
})

test('the zero state is a block without transactions, the parent of the first', async () => {
  const source = sourceOf([(await nodeOf()).url])
  const [zero, first] = [await source.block({ number: 0 }), await source.block({ number: 1 })]
  expect(zero).toMatchObject({ number: 0, hash: chain.hashAt(0), rows: { transactions: [] } })
  expect(first).toMatchObject({ parentHash: zero!.hash, time: zero!.time })
  expect(await source.ref(0)).toMatchObject({ number: 0, hash: zero!.hash })
})

test('refuses a node of another chain before reading from it', async () => {
  const other = await nodeOf({}, chain, { zero: Buffer.alloc(32, 7).toString('base64') })
  await expect(sourceOf([other.url]).verify()).rejects.toMatchObject({ code: 'ASSAY_SOURCE_WRONG_CHAIN' })
  await sourceOf([(await nodeOf()).url]).verify()
})

test('refuses a node that speaks another version than its URL, but not a busy one', async () => {
  const node = await nodeOf()
  const refused = { code: 'ASSAY_SOURCE_OTHER_API', message: expect.stringContaining('version 2') }
  const elsewhere = node.url.replace('/api/v2', '/indexer')
  await expect(sourceOf([elsewhere], {}, hasty()).verify()).rejects.toMatchObject(refused)
  await expect(sourceOf([elsewhere, node.url], {}, hasty()).verify()).rejects.toMatchObject(refused)
  // A node that is busy, or down, is not one that speaks something else.
  node.misbehave({ refused: 1, status: 503, retryAfter: 0 })
  await expect(sourceOf([node.url], {}, hasty()).verify()).rejects.toMatchObject({ code: 'ASSAY_RPC_UNAVAILABLE' })
})

test('sends the key with every call and never logs it; URLs may include the path of calls', async () => {
  const node = await nodeOf()
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const source = sourceOf([`${node.url}/jsonRPC`], { apiKey: KEY }, { ...hasty(), log })
  for (const number of NUMBERS) await source.raw({ number })
  expect(node.counts.headers.length).toBeGreaterThan(10)
  for (const headers of node.counts.headers) expect(headers['x-api-key']).toBe(KEY)
  node.misbehave({ refused: 1, status: 503, retryAfter: 0 })
  const failure = await source.ref(1).catch((error: Error) => error)
  expect(failure).toMatchObject({ code: 'ASSAY_RPC_UNAVAILABLE' })
  expect(lines.join('') + JSON.stringify(failure) + String(failure)).not.toContain(KEY)
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
  for (const number of NUMBERS) await source.raw({ number })
  expect(now).toBeGreaterThanOrEqual(1_000 * (node.counts.times.length / 10 - 2))
})

test('requests per block: header, newest shard blocks, then header and transactions of each block', async () => {
  const node = await nodeOf()
  const source = sourceOf([node.url])
  await source.raw({ number: 2 })
  const before = new Map(node.counts.methods)
  await source.raw({ number: 3 })
  const cost = Object.fromEntries([...node.counts.methods].map(([name, count]) => [name, count - before.get(name)!]))
  expect(cost).toEqual({ getBlockHeader: 3, shards: 1, getBlockTransactionsExt: 3 })
})

test('names the host that is down or behind, and the setting to change, when one of two hosts is missing', async () => {
  const own = createTonChain()
  own.mine([pay(ann, bob, TON)])
  const [near, far] = [await nodeOf({}, own), await nodeOf({}, own)]
  const hosts = [near, far].map(({ url }) => new URL(url).host)
  const urls = [near.url, far.url]
  const source = sourceOf(urls)
  const why = (some = source) =>
    some.finalizedHead().then(
      ({ number }) => `final: ${number}`,
      ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
    )
  const first = own.height()
  expect(await why()).toBe(`final: ${first}`)
  for (let block = 0; block < 70; block += 1) own.mine([pay(ann, bob, TON)])
  far.misbehave({ lag: 70 })
  const behind = await why()
  expect(behind).toContain('ASSAY_SOURCE_FINALITY_UNCONFIRMED')
  expect(behind).toContain(`${hosts[0]}: ${own.height()}`)
  expect(behind).toContain(`${hosts[1]}: ${first}`)
  expect(behind).toContain('TON_RPC_URL')
  far.misbehave({})
  expect(await why()).toBe(`final: ${own.height()}`)

  await far.stop()
  const down = await why(sourceOf(urls))
  expect(down).toContain(`only ${hosts[0]} reports a final block`)
  expect(down).toContain('set ASSAY_LONE_FINALITY_SECONDS (at least 60)')
  const context = hasty()
  const patient = sourceOf(urls, { aloneAfterMs: 60_000 }, context)
  expect(await why(patient)).toContain('only host to answer for 60 s')
  await context.clock.sleep(61_000)
  expect(await why(patient)).toBe(`final: ${own.height()}`)
})
