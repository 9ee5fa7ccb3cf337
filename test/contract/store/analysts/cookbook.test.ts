/** The questions of `docs/use/cookbook.md`, word for word, against answers worked out of the story's own lists. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { base58 } from '@scure/base'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Analyst, openAnalyst } from '../../../../platform/store/analyst/analyst.ts'
import { OWN_FUNCTIONS } from '../../../../platform/store/analyst/own-functions.ts'
import { formatAddress, parseAddress, tronFromEvm } from '../../../../schema/address/index.ts'
import type { Network } from '../../../../schema/networks.ts'
import { registryOf } from '../../../../schema/registry/index.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import * as story from './story.ts'

const { ALICE, BOB, CAROL, THIEF, SPENDER, MEME, USDC, WETH, MOVES, SWAPS, POOLS, SYMBOLS, DECIMALS } = story

let kit: TestStore
let analyst: Analyst
beforeAll(async () => {
  kit = await openTestStore()
  await story.tell(kit.store)
  analyst = await openAnalyst(kit.path)
})
afterAll(async () => {
  await analyst.close()
  await kit.close()
})

const page = readFileSync(new URL('../../../../docs/use/cookbook.md', import.meta.url), 'utf8')
const questions = [...page.matchAll(/^### (\d+)\. (.+)\n[^#]*?```sql\n([\s\S]*?)```/gm)].map(
  ([, number, title, sql]) => ({
    number: Number(number),
    title,
    sql: sql ?? '',
  }),
)

const ask = async (statement: string) =>
  (await analyst.ask(statement, 'ndjson'))
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const at = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')
const timeOf = (block: number) => at(story.BEGIN + (block - 1) * 720)
const cents = (usd: number) => Math.round(usd * 100) / 100
const unique = <T>(values: readonly T[]) => [...new Set(values)]
const amountOf = (micro: number) => micro / 1e6

/** Median of prices weighted by what was paid: half of the weight lies below it. */
const weightedMedian = (trades: readonly { price: number; paid: number }[]): number => {
  const sorted = trades.toSorted((a, b) => a.price - b.price)
  const half = sorted.reduce((sum, { paid }) => sum + paid, 0) / 2
  let below = 0
  for (const { price, paid } of sorted) {
    below += paid
    if (below >= half) return price
  }
  return Number.NaN
}
const hours = unique(Array.from({ length: story.BLOCKS }, (_, n) => story.hourOf(n + 1)))
const tradesOf = (pool: number, hour: number) =>
  SWAPS.filter((swap) => swap.pool === pool && story.hourOf(swap.block) === hour)
const etherAt = (hour: number): number | undefined => {
  const trades = tradesOf(0, hour).map(({ in0, in1 }) => ({ price: Math.abs(in0 / in1), paid: Math.abs(in0) }))
  return trades.length === 0 ? undefined : weightedMedian(trades)
}
const bitcoinAt = (hour: number): number | undefined => {
  const trades = tradesOf(1, hour).map(({ in0, in1 }) => ({ price: Math.abs(in1 / in0), paid: Math.abs(in1) }))
  const ether = etherAt(hour)
  return trades.length === 0 || ether === undefined ? undefined : weightedMedian(trades) * ether
}
const priceAt = (asset: string, hour: number): number | undefined =>
  asset === USDC
    ? 1
    : asset === '' || asset === WETH
      ? etherAt(hour)
      : asset === story.WBTC
        ? bitcoinAt(hour)
        : undefined
const usdOf = ({ block, asset, micro }: story.Move): number | undefined => {
  const price = priceAt(asset, story.hourOf(block))
  return price === undefined ? undefined : price * amountOf(micro)
}

const movesOf = (wallet: string) => MOVES.filter(({ from, to }) => from === wallet || to === wallet)
const otherOf = (wallet: string, { from, to }: story.Move) => (from === wallet ? to : from)
const balances = (asset: string) => {
  const held = new Map<string, number>()
  for (const { from, to, micro } of MOVES.filter((one) => one.asset === asset)) {
    held.set(from, (held.get(from) ?? 0) - micro)
    held.set(to, (held.get(to) ?? 0) + micro)
  }
  return held
}
const newest = [...new Map(story.VERDICTS.map((verdict) => [verdict.address as string, verdict])).values()]
const countOf = (values: readonly string[]) =>
  unique(values)
    .map((value) => [value, values.filter((one) => one === value).length] as const)
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))

const direct = unique(MOVES.filter(({ from }) => from === THIEF).map(({ to }) => to))
const second = unique(MOVES.filter(({ from, to }) => direct.includes(from) && !direct.includes(to)).map(({ to }) => to))

const ANSWERS: Record<number, () => Record<string, unknown>[]> = {
  1: () =>
    movesOf(ALICE)
      .toReversed()
      .map((one) => ({
        block_time: timeOf(one.block),
        direction: one.to === ALICE ? 'in' : 'out',
        counterparty: otherOf(ALICE, one),
        asset: one.asset,
        amount: story.raw(one.asset, one.micro).toString(),
      })),
  2: () =>
    unique(movesOf(ALICE).map(({ asset }) => asset))
      .toSorted()
      .map((asset) => ({ asset, symbol: SYMBOLS[asset], balance: amountOf(balances(asset).get(ALICE) ?? 0) })),
  3: () =>
    countOf(movesOf(ALICE).map((one) => otherOf(ALICE, one))).map(([counterparty, n]) => ({
      counterparty,
      movements: String(n),
    })),
  4: () => [{ counterparty: THIEF, label: 'sanctioned', name: 'Some Thief', category: 'sanctioned' }],
  5: () =>
    unique(movesOf(ALICE).map((one) => otherOf(ALICE, one)))
      .filter((one) => movesOf(CAROL).some((other) => otherOf(CAROL, other) === one))
      .toSorted()
      .map((counterparty) => ({ counterparty })),
  6: () => [
    ...direct.toSorted().map((address) => ({ address, hops: 1 })),
    ...second.toSorted().map((address) => ({ address, hops: 2 })),
  ],
  7: () => [{ owner: ALICE, spender: SPENDER, asset: USDC, since: timeOf(3) }],
  8: () =>
    countOf(newest.map(({ status }) => status))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([status, n]) => ({ status, wallets: String(n) })),
  9: () =>
    story.VERDICTS.flatMap(({ address, status, probability }, index) =>
      address === BOB ? [{ computed_at: at(story.BEGIN + index), status, probability }] : [],
    ),
  10: () =>
    countOf(newest.filter(({ status }) => status === 'Fraud').flatMap(({ codes }) => [...codes])).map(
      ([reason, n]) => ({
        reason,
        wallets: String(n),
      }),
    ),
  11: () => countOf(newest.flatMap(({ unknowns }) => [...unknowns])).map(([flag, n]) => ({ flag, wallets: String(n) })),
  12: () => [{ contract: MEME, status: 'Fraud', risk_score: 84, is_honeypot: 1 }],
  13: () =>
    hours.flatMap((hour) => {
      const price_usd = etherAt(hour)
      const trades = tradesOf(0, hour)
      const traded_usd = trades.reduce((sum, { in0 }) => sum + Math.abs(in0), 0)
      return price_usd === undefined ? [] : [{ hour: at(hour), price_usd, swaps: String(trades.length), traded_usd }]
    }),
  14: () =>
    MOVES.flatMap((one) => {
      const usd = usdOf(one)
      return usd === undefined ? [] : [{ one, usd }]
    })
      .toSorted((a, b) => b.usd - a.usd || a.one.block - b.one.block)
      .slice(0, 5)
      .map(({ one, usd }) => ({
        block_time: timeOf(one.block),
        from_address: one.from,
        to_address: one.to,
        symbol: SYMBOLS[one.asset],
        amount: amountOf(one.micro),
        usd: cents(usd),
      })),
  15: () => {
    const last = hours.map(etherAt).findLast((price) => price !== undefined) ?? 0
    const late = MOVES.filter(({ block, asset }) => asset === '' && block > 20)
    return late.map(({ block, micro }) => ({
      block_time: timeOf(block),
      symbol: 'ETH',
      usd: cents(amountOf(micro) * last),
    }))
  },
  16: () =>
    unique(MOVES.map(({ asset }) => asset).filter(Boolean))
      .toSorted()
      .map((asset) => {
        const moves = MOVES.filter((one) => one.asset === asset)
        const usd = moves.map(usdOf).filter((one) => one !== undefined)
        return {
          contract_address: asset,
          token: SYMBOLS[asset],
          transfers: String(moves.length),
          moved: amountOf(moves.reduce((sum, { micro }) => sum + micro, 0)),
          usd: usd.length === 0 ? null : cents(usd.reduce((sum, one) => sum + one, 0)),
        }
      }),
  17: () =>
    [...balances(MEME)]
      .filter(([, micro]) => micro > 0)
      .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
      .map(([address, micro]) => ({ address, balance: amountOf(micro) })),
  18: () =>
    (
      [
        ['curve', 'curve'],
        ['uniswap', 'v2'],
        ['uniswap', 'v3'],
      ] as const
    ).map(([project, version]) => {
      const trades = SWAPS.filter(({ pool }) => POOLS[pool]?.project === project && POOLS[pool]?.kind === version)
      const usd = trades.map(({ pool, block, in0, in1 }) =>
        POOLS[pool]?.token0 === USDC ? Math.abs(in0) : Math.abs(in1) * (etherAt(story.hourOf(block)) ?? 0),
      )
      const total = cents(usd.reduce((sum, one) => sum + one, 0))
      return { day: '2026-01-05', project, version, trades: String(trades.length), usd: total }
    }),
  19: () =>
    story.LIQUIDITY.map(({ block, event, provider }, index) => {
      const before = story.LIQUIDITY.slice(0, index + 1)
      const left = (of: 'amount0' | 'amount1') =>
        (
          BigInt(before.reduce((sum, one) => sum + one[of] * 10, 0)) *
          10n ** BigInt((DECIMALS[MEME] ?? 0) - 1)
        ).toString()
      return { block_time: timeOf(block), event, provider, left0: left('amount0'), left1: left('amount1') }
    }),
  20: () => [
    {
      network: 'ETH',
      first_block: 1,
      last_block: story.BLOCKS,
      last_time: timeOf(story.BLOCKS),
      blocks_without_traces: String(story.BLIND.length),
    },
  ],
  21: () =>
    MOVES.filter(({ from, asset }) => from === BOB && asset === '').map(({ block, to, micro }) => ({
      block_time: timeOf(block),
      receiver: formatAddress('ETH', to),
      amount: amountOf(micro),
    })),
  22: () =>
    MOVES.filter(({ asset, micro }) => asset === USDC && micro >= 1_250_500_000).map(({ block, from, micro }) => ({
      block: String(block),
      sender: from,
      usdc: `${Math.floor(micro / 1e6)}.${String(micro % 1e6).padStart(6, '0')}`,
    })),
  23: () =>
    story.SOLANA_TRADES.map(({ time, program, sold, bought }) => ({
      block_time: at(time),
      program,
      sold: sold.asset,
      sold_raw: String(sold.raw),
      bought: bought.asset,
      bought_raw: String(bought.raw),
    })),
}

test('the questions of the cookbook return the expected answers of the scenario', async () => {
  expect(questions.map(({ number }) => number)).toEqual(Array.from({ length: 23 }, (_, n) => n + 1))
  for (const { number, title, sql } of questions) {
    expect(await ask(sql), `${number}. ${title}`).toEqual(ANSWERS[number]?.())
  }
})

test('an asset without a known market has no price, and an unverified announcement sets none', async () => {
  const priced = await ask("SELECT DISTINCT asset, source FROM prices WHERE swaps > 0 OR asset = 'x' ORDER BY asset")
  expect(priced).toEqual(
    ['', story.WBTC, WETH].map((asset) => ({ asset, source: asset === story.WBTC ? 'native' : 'swaps' })),
  )
  // The pool of a strange factory traded at 9,000,000: its trade has the value of its dollars, and no exchange.
  expect(
    await ask(
      `SELECT project, token_sold_symbol, token_bought_symbol, amount_usd FROM dex_trades WHERE blockchain = 'ETH' AND taker = '${THIEF}'`,
    ),
  ).toEqual([{ project: '', token_sold_symbol: 'USDC', token_bought_symbol: 'WETH', amount_usd: 9_000_000 }])
  expect(
    await ask(
      "SELECT count() AS n, countIf(amount_usd IS NULL) AS worthless FROM token_transfers WHERE symbol = 'MEME'",
    ),
  ).toEqual([{ n: '2', worthless: '2' }])
})

test('every transfer and swap is one row of each view', async () => {
  const count = async (from: string, named = 'blockchain') =>
    Number((await ask(`SELECT count() AS n FROM ${from} WHERE ${named} = 'ETH'`))[0]?.n)
  expect(await count('transfers_usd', 'network')).toBe(MOVES.length)
  expect((await count('token_transfers')) + (await count('native_transfers'))).toBe(MOVES.length)
  expect(await count('dex_trades')).toBe(SWAPS.length)
})

test('a swap in a pool of three tokens is a trade of the two in its event', async () => {
  const vault = [...registryOf('BASE').dexFactories.values()].find(({ kind }) => kind === 'balancer-v3')?.address ?? ''
  const [one, two, three] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`)
  const here = { network: 'BASE', block_number: 5, block_time: story.BEGIN, tx_hash: '0x5' }
  const swap = { ...here, pool: '0xvault-pool', initiator: BOB, sender: '', recipient: '' }
  const put = (table: string, ...rows: object[]) =>
    kit.store.insert(table, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const pool = { ...here, factory: vault, kind: 'balancer-v3', fee: 0, hooks: '' }
  await put(
    'pools',
    // An announcement of the tokens that a pool took in later, which are not all of its tokens.
    { ...pool, position: '1', pool: '0xvault-pool', token0: one, token1: three },
    { ...pool, position: '2', pool: '0xvault-pool:0:1', token0: one, token1: two },
  )
  await put(
    'swaps',
    { ...swap, position: '3', amount0: '-7', amount1: '5', factory: vault, token0: one, token1: two },
    // As it was stored before swaps stated their tokens, in a pool that was announced as its pairs alone.
    { ...swap, position: '4', pool: '0xother-pool', amount0: '5', amount1: '-7', factory: '', token0: '', token1: '' },
  )
  expect(
    await ask(
      `SELECT project, version, token_sold_address, token_bought_address, toString(token_sold_amount_raw) AS sold, toString(token_bought_amount_raw) AS bought
      FROM dex_trades WHERE blockchain = 'BASE' ORDER BY position`,
    ),
  ).toEqual([
    {
      ...{ project: 'balancer', version: 'balancer-v3', token_sold_address: two, token_bought_address: one },
      ...{ sold: '5', bought: '7' },
    },
    {
      ...{ project: '', version: '', token_sold_address: null, token_bought_address: null },
      ...{ sold: '5', bought: '7' },
    },
  ])
  expect(
    await ask("SELECT token0, token1 FROM pool_state_all WHERE network = 'BASE' AND pool = '0xvault-pool'"),
  ).toEqual([{ token0: one, token1: three }])
})

test('a Parquet result has the same rows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-parquet-'))
  const file = join(folder, 'transfers.parquet')
  const statement =
    "SELECT block_number, from_address, symbol, amount, amount_usd FROM transfers_usd WHERE network = 'ETH' ORDER BY position"
  writeFileSync(file, await analyst.ask(statement, 'parquet'))
  const read = await kit.store.query('SELECT * FROM file({file:String}, Parquet)', { file })
  expect(read).toEqual(await kit.store.query(statement))
  expect(read).toHaveLength(MOVES.length)
  rmSync(folder, { recursive: true })
})

test('each of our functions returns the result of its example in the docs', async () => {
  const guide = readFileSync(new URL('../../../../docs/use/analysts.md', import.meta.url), 'utf8')
  for (const { name, parameters, result: meaning, example } of OWN_FUNCTIONS) {
    const [call, result] = example
    expect(guide).toContain(`| \`${name}(${parameters.join(', ')})\` | ${meaning} | \`${call}\` is \`${result}\` |\n`)
    expect(await ask(`SELECT toString(${call}) AS result`)).toEqual([{ result }])
  }
})

test('assay_address accepts and refuses the same text as the API', async () => {
  const bytes = (length: number, from: number) =>
    createHash('sha512').update(`${length} ${from}`).digest().subarray(0, length)
  const evm = Array.from({ length: 6 }, (_, n) => `0x${bytes(20, n).toString('hex')}`)
  const right: [Network, string][] = [
    ...evm.flatMap((one): [Network, string][] => [
      ['ETH', one],
      ['ETH', formatAddress('ETH', one)],
      ['ETH', `0x${one.slice(2).toUpperCase()}`],
      ['TRON', `41${one.slice(2)}`],
      ['TRON', tronFromEvm(one)],
    ]),
    ...[-1, 0].flatMap((workchain) =>
      evm.flatMap((_, n): [Network, string][] => {
        const rawForm = `${workchain}:${bytes(32, n).toString('hex')}`
        const url = formatAddress('TON', rawForm)
        return [rawForm.toUpperCase(), url, url.replaceAll('-', '+').replaceAll('_', '/')].map((text) => ['TON', text])
      }),
    ),
    ...evm.map((_, n): [Network, string] => ['SOLANA', base58.encode(bytes(32, n))]),
  ]
  /** The same with one character changed, and what resembles an address. */
  const wrong = [
    ...right.map(([network, text], n): [Network, string] => {
      const at = (n % (text.length - 4)) + 3
      const other = text[at] === 'a' ? 'b' : text[at] === 'B' ? 'C' : text[at] === '2' ? '3' : '2'
      return [network, `${text.slice(0, at)}${other}${text.slice(at + 1)}`]
    }),
    ...[
      '',
      '0x',
      'vitalik.eth',
      ` ${evm[0]}`,
      `${evm[0]} `,
      `0X${evm[0]?.slice(2)}`,
      'T'.repeat(34),
      '1'.repeat(31),
    ].map((text): [Network, string] => ['ETH', text]),
  ]
  const networks = ['ETH', 'TRON', 'TON', 'SOLANA'] as const
  /** What the API makes of a text, on the first network that reads it. */
  const meant = (text: string) =>
    networks.map((one) => parseAddress(one, text)).find(({ ok }) => ok) ?? { ok: false as const }
  const all = [...right, ...wrong].map(([, text]) => text)
  const readable = all.filter((text) => meant(text).ok)
  expect(readable.length).toBeGreaterThanOrEqual(right.length)
  expect(all.length - readable.length).toBeGreaterThan(20)
  // In one column, so that rows of all kinds are read side by side.
  const read = await kit.store.query<{ is: string[] }>(
    'SELECT arrayMap(text -> assay_address(text), {texts:Array(String)}) AS is',
    { texts: readable },
  )
  expect(read[0]?.is).toEqual(readable.map((text) => (meant(text) as { canonical: string }).canonical))
  for (const text of all.filter((one) => !meant(one).ok)) {
    await expect(ask(`SELECT assay_address('${text}')`), text).rejects.toThrow('the text is no address')
  }
})

test('amounts keep every digit, and invalid amounts are refused', async () => {
  const most = (2n ** 256n - 1n).toString()
  const cases = [
    ['0', 18, '0.000000000000000000'],
    [most, 0, most],
    [most, 77, `${most.slice(0, 1)}.${most.slice(1)}`],
    ['1', 77, `0.${'0'.repeat(76)}1`],
  ] as const
  for (const [raw, decimals, exact] of cases) {
    expect(
      await ask(
        `SELECT assay_exact(toUInt256('${raw}'), ${decimals}) AS exact, toString(assay_raw(exact, ${decimals})) AS back`,
      ),
    ).toEqual([{ exact, back: raw }])
  }
  expect(await ask("SELECT assay_exact(toInt256('-1500001'), 6) AS is")).toEqual([{ is: '-1.500001' }])
  for (const text of ['', '.5', '1.', '-1', '1e18', '1.0000001', ' 1', '1,5', '9'.repeat(90), `2${most.slice(1)}`])
    await expect(ask(`SELECT assay_raw('${text}', 6)`), text).rejects.toThrow('no amount')
})
