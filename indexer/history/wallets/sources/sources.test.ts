/** What each way asks, and how it takes answers in the shapes that are documented; the ways of real nodes are in test/e2e/follow. */
import { expect, test } from 'vitest'
import { RpcError, rpcError } from '../../../../platform/rpc/errors.ts'
import { createRpcPool } from '../../../../platform/rpc/pool.ts'
import type { Outcome, Post } from '../../../../platform/rpc/post.ts'
import { testContext } from '../../../../test/kit/context.ts'
import type { WalletHistory } from '../history.ts'
import { createAlchemyHistory } from './alchemy.ts'
import { createExplorerHistory, type FetchText } from './explorer.ts'
import { createNonceHistory } from './nonces.ts'
import { createOtterscanHistory } from './otterscan.ts'
import { createTraceFilterHistory } from './trace-filter.ts'

const wallet = `0x${'a'.repeat(40)}`
const { clock, log, metrics } = testContext()
const signal = AbortSignal.timeout(60_000)
const hex = (value: number) => `0x${value.toString(16)}`

/** A node that answers each call by hand. */
const poolOf = (answer: (method: string, params: readonly unknown[]) => unknown) => {
  const asked: [string, readonly unknown[]][] = []
  const post: Post = async (calls) =>
    calls.map(({ method, params }): Outcome => {
      asked.push([method, params])
      const result = answer(method, params)
      return result instanceof RpcError ? { error: result } : { result }
    })
  const pool = createRpcPool({
    context: { clock, log, metrics },
    network: 'ETH',
    urls: ['http://node.example'],
    startRate: 5_000,
    postTo: () => post,
  })
  return { pool, asked }
}

const found = async (history: WalletHistory, to = 1_000, maxBlocks = 500) => {
  const { blocks, why } = await history.find({ wallet, to, maxBlocks, signal })
  return { blocks: [...blocks].toSorted((a, b) => a - b), why }
}

test('otterscan: follows pages down from the lowest block of each, never past block 0', async () => {
  const pages = new Map([
    [1_001, { txs: [900, 900, 750], lastPage: false }],
    [750, { txs: [3, 1], lastPage: false }],
    [1, { txs: [], lastPage: true }],
  ])
  const { pool, asked } = poolOf((_, [, before]) => {
    const page = pages.get(Number(before))
    if (!page) return rpcError(-32_000, `nobody expects ${before}`)
    return {
      ...page,
      txs: page.txs.map((number) => ({ blockNumber: hex(number), hash: '0x' })),
      receipts: [],
      firstPage: false,
    }
  })
  expect(await found(createOtterscanHistory({ clock, pool }))).toEqual({ blocks: [1, 3, 750, 900], why: undefined })
  expect(asked.map(([, params]) => params)).toEqual([
    [wallet, 1_001, 25],
    [wallet, 750, 25],
    [wallet, 1, 25],
  ])
})

test('otterscan: refuses a page of other blocks, and an empty page that is not the last', async () => {
  for (const page of [
    { txs: [{ blockNumber: hex(5_000) }], lastPage: true },
    { txs: [], lastPage: false },
  ]) {
    await expect(found(createOtterscanHistory({ clock, pool: poolOf(() => page).pool }))).rejects.toMatchObject({
      code: 'ASSAY_RPC_INCONSISTENT',
    })
  }
})

test('otterscan: stops at the requested number of transactions of a busy wallet', async () => {
  const { pool } = poolOf((_, [, before]) => ({
    txs: Array.from({ length: 25 }, (_, index) => ({ blockNumber: hex(Number(before) - 1 - index) })),
    lastPage: false,
  }))
  const { blocks, why } = await found(createOtterscanHistory({ clock, pool }), 1_000, 60)
  expect([blocks.length, why]).toEqual([75, 'it appears in more than 60 blocks'])
})

test.each([
  ['missing', rpcError(-32_601, 'the method ots_searchTransactionsBefore does not exist')],
  ['unimplemented (reth)', rpcError(-32_603, 'unimplemented')],
  ['not of the plan', rpcError(-32_600, 'ots_searchTransactionsBefore is not available on your plan')],
])('a method that is %s is not supported, and a silent node does not decide it', async (_, refusal) => {
  const { pool, asked } = poolOf(() => refusal)
  const history = createOtterscanHistory({ clock, pool })
  expect([await history.offered(signal), await history.offered(signal)]).toEqual([false, false])
  const calls = asked.length
  expect(await history.offered(signal)).toBe(false)
  expect(asked.length).toBe(calls)
  const down = poolOf(() => rpcError(-32_603, 'internal error'))
  await expect(createOtterscanHistory({ clock, pool: down.pool }).offered(signal)).rejects.toMatchObject({
    code: 'ASSAY_RPC_UNAVAILABLE',
  })
})

test('trace_filter: requests both directions, continues after full pages, narrows refused ranges', async () => {
  const { pool, asked } = poolOf((_, params) => {
    const [{ fromBlock, toBlock, fromAddress, after }] = params as [Record<string, string | number | undefined>]
    const [from, to] = [Number(fromBlock), Number(toBlock)]
    if (to - from + 1 > 400) return rpcError(-32_602, 'block range is too wide, max is 400 blocks')
    if (!fromAddress) return from <= 7 && to >= 7 ? [{ blockNumber: 7 }] : []
    // A thousand calls in block 20, another one in it and one in block 30.
    const calls = [...Array.from({ length: 1_001 }, () => 20), 30].filter((block) => block >= from && block <= to)
    return calls.slice(Number(after), Number(after) + 1_000).map((blockNumber) => ({ blockNumber }))
  })
  expect(await found(createTraceFilterHistory({ clock, pool }))).toEqual({ blocks: [7, 20, 30], why: undefined })
  const ranges = asked.map(([, [params]]) => params as Record<string, unknown>)
  expect(ranges.some(({ after }) => after === 1_000)).toBe(true)
  expect(ranges.every(({ fromAddress, toAddress }) => (fromAddress === undefined) !== (toAddress === undefined))).toBe(
    true,
  )
})

test('alchemy: requests both directions page by page, without internal transfers on chains that lack them', async () => {
  const { pool, asked } = poolOf((_, params) => {
    const [{ category, fromAddress, pageKey }] = params as [Record<string, string | string[] | undefined>]
    if (category?.includes('internal'))
      return rpcError(-32_602, "the 'internal' category is only supported for ETH and MATIC")
    if (!fromAddress) return { transfers: [{ blockNum: '0x7', value: 0.1, rawContract: { value: '0x1' } }] }
    return pageKey ? { transfers: [{ blockNum: '0x9' }] } : { transfers: [{ blockNum: '0x8' }], pageKey: 'uuid' }
  })
  expect(await found(createAlchemyHistory({ clock, pool }))).toEqual({ blocks: [7, 8, 9], why: undefined })
  expect(asked[0]![1][0]).toMatchObject({ fromBlock: '0x0', toBlock: '0x3e8', maxCount: '0x3e8', fromAddress: wallet })
  const endless = poolOf(() => ({ transfers: [{ blockNum: '0x8' }], pageKey: 'same' }))
  expect((await found(createAlchemyHistory({ clock, pool: endless.pool }))).why).toBe('alchemy repeats its pages')
})

test('nonces: finds each block where the nonce rises, in one round per halving', async () => {
  const sent = [5, 6, 6, 400, 999]
  const { pool, asked } = poolOf((_, [, block]) => hex(sent.filter((one) => one <= Number(block)).length))
  expect(await found(createNonceHistory({ pool }))).toEqual({ blocks: [5, 6, 400, 999], why: undefined })
  expect(asked.length).toBeLessThan(2 + 4 * 2 * 10)
  const busy = poolOf((_, [, block]) => hex(Number(block)))
  expect(await found(createNonceHistory({ pool: busy.pool }), 5_000)).toEqual({
    blocks: [],
    why: 'it appears in more than 200 blocks',
  })
})

/** An explorer in words of Etherscan's documentation. */
const explorerOf = (answer: (action: string, from: number, to: number) => unknown, status = 200) => {
  const asked: URL[] = []
  const get: FetchText = async (url) => {
    asked.push(url)
    return {
      status,
      text: JSON.stringify(
        answer(
          url.searchParams.get('action') ?? '',
          Number(url.searchParams.get('startblock')),
          Number(url.searchParams.get('endblock')),
        ),
      ),
    }
  }
  const url = 'https://explorer.example/v2/api?chainid=1&apikey=secret'
  return {
    asked,
    history: createExplorerHistory({
      clock: { ...clock, sleep: async () => undefined },
      network: 'ETH',
      url,
      get,
      pauseMs: 0,
    }),
  }
}
const NONE = { status: '0', message: 'No transactions found', result: [] }
const listOf = (...blocks: number[]) => ({
  status: '1',
  message: 'OK',
  result: blocks.map((one, index) => ({ blockNumber: String(one), hash: `0x${one}-${index}` })),
})

test('explorer: requests five lists up to the last block, with the parameters of the URL', async () => {
  const { history, asked } = explorerOf((action, from) => {
    if (action === 'txlist' && from <= 9) return from <= 3 ? listOf(3, 9) : listOf(9)
    // Blockscout: no contract standard of that name.
    if (action === 'token1155tx') return { status: '0', message: 'Unknown action', result: null }
    return action === 'tokentx' && from === 0 ? listOf(4) : NONE
  })
  const { blocks, why } = await found(history)
  expect({ blocks, why }).toEqual({ blocks: [3, 4, 9], why: undefined })
  expect([...new Set(asked.map((url) => url.searchParams.get('action')))]).toEqual([
    'txlist',
    'txlistinternal',
    'tokentx',
    'tokennfttx',
    'token1155tx',
  ])
  expect(Object.fromEntries(asked[0]!.searchParams)).toMatchObject({
    chainid: '1',
    apikey: 'secret',
    module: 'account',
    address: wallet,
    endblock: '1000',
    sort: 'asc',
  })
})

test.each([1, 10, 100, 1_000])('explorer: lists truncated at %i entries still give all blocks', async (cap) => {
  const all = [3, 8, 9].flatMap((block) => Array.from({ length: 150 }, () => block))
  const { history, asked } = explorerOf((action, from) => {
    const rows = all.filter((block) => block >= from).slice(0, cap)
    return action === 'txlist' && rows.length > 0 ? listOf(...rows) : NONE
  })
  expect(await found(history)).toEqual({ blocks: [3, 8, 9], why: undefined })
  expect(asked.length).toBeLessThan(10)
})

test('explorer: after the clock is set back, no call waits longer than one pause', async () => {
  let now = 3_600_000
  const waits: number[] = []
  const moving = {
    now: () => {
      now -= 60_000
      return now
    },
    sleep: async (ms: number) => void waits.push(ms),
  }
  const get: FetchText = async () => ({ status: 200, text: JSON.stringify(NONE) })
  await found(
    createExplorerHistory({ clock: moving, network: 'ETH', url: 'https://explorer.example/api', get, pauseMs: 250 }),
  )
  expect(Math.max(...waits)).toBeLessThanOrEqual(5 * 250)
})

test('explorer: reports a list with blocks outside the requested range', async () => {
  const foreign = explorerOf(() => listOf(2_000))
  expect((await found(foreign.history)).why).toContain('lists block 2000')
  const stubborn = explorerOf(() => listOf(3, 9))
  expect((await found(stubborn.history)).why).toContain('lists block 3')
})

test.each([
  ['of several blocks', [9, 8, 3], 2],
  ['of one block', [...Array(200).fill(9), 3], 100],
  ['that is not cut', [9, 8, 3], 100],
])('explorer: a list %s with the newest first does not count as the whole history', async (_, all, cap) => {
  const { history } = explorerOf((action, from, to) => {
    const rows = all.filter((block) => block >= from && block <= to).slice(0, cap)
    return action === 'txlist' && rows.length > 0 ? listOf(...rows) : NONE
  })
  expect((await found(history)).why).toBe('the explorer does not list the oldest first')
})

test('explorer: waits out a rate limit, fails on other refusals, and hides the key in messages', async () => {
  let calls = 0
  const limited = explorerOf((action) => {
    calls += 1
    return calls < 3
      ? { status: '0', message: 'NOTOK', result: 'Max rate limit reached' }
      : action === 'txlist' && calls === 3
        ? listOf(5)
        : NONE
  })
  expect((await found(limited.history)).blocks).toEqual([5])
  for (const { history } of [
    explorerOf(() => ({ status: '0', message: 'NOTOK', result: 'Invalid API Key' })),
    explorerOf(() => 'a page of text'),
    explorerOf(() => NONE, 502),
  ]) {
    const error = await found(history).then(
      () => undefined,
      (reason: Error) => reason,
    )
    expect(error).toMatchObject({ code: 'ASSAY_SOURCE_EXPLORER' })
    expect(String(error)).not.toContain('secret')
  }
})
