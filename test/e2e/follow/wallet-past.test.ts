/**
 * The past of a wallet from a real node, by each way of finding it, and what becomes of it when what is asked lies, is cut off, or
 * does not know.
 */

import { parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createFetchPast, type FetchedPast } from '../../../indexer/history/wallets/fetch.ts'
import type { SourceName, WalletHistory } from '../../../indexer/history/wallets/history.ts'
import { createWalletHistories } from '../../../indexer/history/wallets/index.ts'
import { createExplorerHistory, type FetchText } from '../../../indexer/history/wallets/sources/explorer.ts'
import { decodeBlock } from '../../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../../indexer/source/evm/index.ts'
import { createRpcPool } from '../../../platform/rpc/pool.ts'
import type { BlockRef } from '../../../schema/block.ts'
import { type Anvil, startAnvil } from '../../kit/chain/anvil.ts'
import { accountNamed, placeAuthorities } from '../../kit/chain/authorities.ts'
import { type Provider, type ProviderRules, startProvider } from '../../kit/chain/provider.ts'
import { createHistories, type Histories } from '../../kit/chain/wallet-histories.ts'
import { testContext } from '../../kit/context.ts'

const network = 'ETH'
const payer = accountNamed('payer').toLowerCase()

let anvil: Anvil
let histories: Histories
let to: BlockRef
const stops: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  anvil = await startAnvil({ slotsInAnEpoch: 1 })
  const authorities = await placeAuthorities(anvil)
  histories = await createHistories(anvil)
  await histories.fund('payer', parseEther('5'))
  await histories.wrap('payer', 'shop')
  await anvil.mine(30)
  await histories.dollars('payer', 1_000_000n)
  await histories.fund('payer', parseEther('1'))
  await histories.send('payer', { to: accountNamed('friend'), value: parseEther('0.25') })
  await authorities.chatter()
  const number = await anvil.blockNumber()
  const { hash, parentHash, timestamp } = await anvil.rpc<Record<string, string>>(
    'eth_getBlockByNumber',
    `0x${number.toString(16)}`,
    false,
  )
  to = { number, hash: hash!, parentHash: parentHash!, time: Number(timestamp) }
  // What comes after belongs to the stream.
  await histories.send('payer', { to: accountNamed('friend'), value: 7n })
  await anvil.mine(5)
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})
afterAll(async () => {
  await anvil?.stop()
})

type Given = { ways?: readonly SourceName[]; rules?: ProviderRules; more?: readonly WalletHistory[]; most?: number }

/** Asks nodes with these rules, by these ways. */
const fetchPast = async (wallet: string, { ways, rules = {}, more = [], most = 500 }: Given = {}) => {
  const node: Provider = await startProvider(anvil.url, rules)
  stops.push(node.stop)
  const context = testContext()
  stops.push(() => context.lifecycle.close())
  const pool = createRpcPool({ context, network, urls: [node.url], startRate: 5_000 })
  const source = createEvmSource({
    context,
    network,
    urls: [node.url],
    pool,
    decode: decodeBlock,
    tokenMetadata: false,
  })
  stops.push(source.close)
  const all = createWalletHistories({ context, network, pool })
  const histories = [...more, ...all.filter(({ name }) => ways === undefined || ways.includes(name))]
  const fetch = createFetchPast({ context, network, source, pool, histories, maxBlocks: most })
  const parts: FetchedPast[] = []
  const past = await fetch({ address: wallet }, to, AbortSignal.timeout(200_000), async (part) => void parts.push(part))
  const { sent, native, tokens, complete, sources, why, transactions } = past.state
  return { ...past, parts, said: { sent, native, tokens, complete, sources, transactions, why } }
}
const WHOLE = { sent: 1, native: 1, tokens: 1, complete: 1, transactions: 5, why: '' }

/** An explorer that knows what the node knows, `cut` as it pleases. */
type Entry = { blockNumber: string }
const explorer = (cut: (rows: Entry[], action: string) => Entry[] = (rows) => rows, limit = 1_000) => {
  const asked: string[] = []
  const get: FetchText = async (url) => {
    const at = (name: string) => url.searchParams.get(name) ?? ''
    asked.push(at('action'))
    const blocks: Record<string, number[]> = { txlist: [], txlistinternal: [] }
    for (let number = 0; number <= (await anvil.blockNumber()); number += 1) {
      const traces = await anvil.rpc<{ action: { from?: string; to?: string }; traceAddress: number[] }[]>(
        'trace_block',
        `0x${number.toString(16)}`,
      )
      for (const { action, traceAddress } of traces) {
        if (action.from !== at('address') && action.to !== at('address')) continue
        blocks[traceAddress.length === 0 ? 'txlist' : 'txlistinternal']!.push(number)
      }
    }
    const rows = (blocks[at('action')] ?? [])
      .filter((number) => number >= Number(at('startblock')) && number <= Number(at('endblock')))
      .map((number) => ({ blockNumber: String(number), hash: `0x${number}` }))
    const given = cut(rows, at('action')).slice(0, Math.min(limit, Number(at('offset'))))
    const body =
      given.length > 0
        ? { status: '1', message: 'OK', result: given }
        : { status: '0', message: 'No transactions found', result: [] }
    return { status: 200, text: JSON.stringify(body) }
  }
  const history = createExplorerHistory({
    clock: testContext().clock,
    network,
    url: 'https://explorer.example/api?apikey=k',
    get,
    pauseMs: 0,
  })
  return { history, asked }
}

test('every source of history gives the same rows, which explain the account to the wei', async () => {
  const whole = await fetchPast(payer)
  expect(whole.said).toEqual({ ...WHOLE, sources: 'logs,otterscan' })
  const { transactions, ledger } = whole.rows
  expect(
    transactions.filter(({ sender }) => sender === payer).map(({ nonce, status }) => [Number(nonce), status]),
  ).toEqual([
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 0],
    [4, 1],
  ])
  const own = ledger.filter(({ address }) => address === payer)
  expect(new Set(own.map(({ kind, direction }) => `${kind} ${direction}`))).toEqual(
    new Set(['native 1', 'native -1', 'internal 1', 'wrap 1', 'wrap -1', 'fungible 1', 'fungible -1']),
  )
  expect(Math.max(...ledger.map(({ block_number }) => block_number))).toBeLessThanOrEqual(to.number)
  const byTraces = await fetchPast(payer, { ways: ['trace_filter', 'logs'] })
  const byExplorer = await fetchPast(payer, { ways: ['logs'], more: [explorer().history] })
  for (const [past, sources] of [
    [byTraces, 'logs,trace_filter'],
    [byExplorer, 'explorer,logs'],
  ] as const) {
    expect(past.said).toEqual({ ...WHOLE, sources })
    expect(past.rows).toEqual(whole.rows)
  }
})

test('a node without indexes finds signed transactions; receipts stay open unless the balance proves there were none', async () => {
  const past = await fetchPast(payer, { ways: ['nonces', 'logs'] })
  expect(past.said).toMatchObject({ sent: 1, native: 0, tokens: 1, complete: 0 })
  expect(past.said.why).toContain('native: its payments do not add up to its balance')
  const nobody = await fetchPast(accountNamed('nobody').toLowerCase(), { ways: ['nonces', 'logs'] })
  expect(nobody.said).toEqual({ ...WHOLE, transactions: 0, sources: 'logs' })
})

test('uses the methods that a node supports', async () => {
  const refuse = () => ({ error: { code: -32_601, message: 'the method does not exist' } })
  const past = await fetchPast(payer, {
    rules: { answers: { ots_searchTransactionsBefore: refuse, alchemy_getAssetTransfers: refuse } },
  })
  expect(past.said).toEqual({ ...WHOLE, sources: 'logs,trace_filter' })
})

test('detects that reth does not implement the Otterscan index', async () => {
  const past = await fetchPast(payer, {
    rules: {
      answers: { ots_searchTransactionsBefore: () => ({ error: { code: -32_603, message: 'unimplemented' } }) },
    },
  })
  expect(past.said).toMatchObject({ complete: 1, sources: 'logs,trace_filter' })
})

test.each([
  ['an empty list', () => []],
  ['a list without its last entry', (rows: { blockNumber: string }[]) => rows.slice(0, -1)],
  [
    'a list that ends long before the present',
    (rows: { blockNumber: string }[]) => rows.filter(({ blockNumber }) => Number(blockNumber) < 20),
  ],
])('distrusts an explorer that answers %s with status 200', async (_, cut) => {
  const past = await fetchPast(payer, {
    ways: ['logs'],
    more: [explorer((rows, action) => (action === 'txlist' ? cut(rows) : rows)).history],
  })
  expect(past.said.complete).toBe(0)
  expect(past.said.why).toMatch(/transactions it signed were not found|do not add up to its balance/)
})

test('reads an explorer with shorter pages than requested to the end', async () => {
  const { history, asked } = explorer(undefined, 2)
  const past = await fetchPast(payer, { ways: ['logs'], more: [history] })
  expect(past.said).toEqual({ ...WHOLE, sources: 'explorer,logs' })
  expect(asked.filter((action) => action === 'txlist').length).toBeGreaterThan(3)
})

test('a payment that no source shows leaves the history open, even with every signed transaction', async () => {
  const hidden = await anvil.rpc<{ txs: { blockNumber: string; from: string }[] }>(
    'ots_searchTransactionsBefore',
    payer,
    to.number + 1,
    25,
  )
  const income = hidden.txs.find(({ from }) => from !== payer)!.blockNumber
  const past = await fetchPast(payer, {
    ways: ['otterscan', 'logs'],
    rules: {
      answers: {
        ots_searchTransactionsBefore: async (_, real) => {
          const reply = (await real()) as { result: { txs: { blockNumber: string }[] } }
          const txs = reply.result.txs.filter(({ blockNumber }) => blockNumber !== income)
          return { result: { ...reply.result, txs } }
        },
      },
    },
  })
  expect(past.said).toMatchObject({ sent: 1, native: 0, tokens: 1, complete: 0 })
})

test('missing logs of a node leave tokens open', async () => {
  const past = await fetchPast(payer, { rules: { forge: (logs, from, until) => (from === until ? logs : []) } })
  expect(past.said).toMatchObject({ sent: 1, native: 1, tokens: 0, complete: 0 })
  expect(past.said.why).toMatch(/tokens: tokens moved in block \d+, of which no log was answered/)
})

test('history that a node lacks leaves tokens open, with or without an error', async () => {
  for (const silently of [false, true]) {
    const past = await fetchPast(payer, { rules: { pruned: { below: to.number - 3, silently } } })
    expect(past.said).toMatchObject({ tokens: 0, complete: 0 })
    expect(past.said.why).toContain('no endpoint has logs of blocks below')
  }
})

test('nothing is proven without the state of the last block', async () => {
  const gone = () => ({ error: { code: -32_000, message: 'missing trie node' } })
  const past = await fetchPast(payer, {
    rules: { answers: { eth_getBalance: gone, eth_getTransactionCount: gone, eth_getCode: gone } },
  })
  expect(past.said).toMatchObject({ sent: 0, native: 0, complete: 0 })
  expect(past.said.why).toContain(`no endpoint has the state of block ${to.number}`)
})

test('a busy wallet is sampled and never complete; a contract is skipped', async () => {
  const busy = await fetchPast(payer, { most: 3 })
  expect(busy.said).toMatchObject({ sent: 0, native: 0, tokens: 0, complete: 0, transactions: 5 })
  expect(busy.said.why).toBe('it signed 5 transactions, more than are fetched (3)')
  expect(busy.rows.transactions.length).toBeGreaterThan(0)
  const contract = await fetchPast('0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2')
  expect(contract.said).toMatchObject({ complete: 0, why: 'it is a contract' })
})

test('walks through a provider with a small log range, and knows coins before tokens', async () => {
  const past = await fetchPast(payer, {
    rules: { range: { max: 10, error: () => ({ code: -32_602, message: 'Max range: 10' }) } },
  })
  expect(past.said).toEqual({ ...WHOLE, sources: 'logs,otterscan' })
  for (const { state } of past.parts) expect(state).toMatchObject({ complete: 0, done: 0 })
})
