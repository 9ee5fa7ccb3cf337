/**
 * Five hours of a small chain that the questions of `docs/use/cookbook.md` are asked of: a dealer, two friends, a thief who pays one of
 * them, an exchange, a token of nobody's, and swaps that set the prices. Tests work the answers out of these lists.
 */
import type { Store } from '../../../../platform/store/store.ts'

const address = (digits: string) => `0x${digits.padStart(40, '0')}`

export const ALICE = address('a11ce')
export const BOB = address('b0b')
export const CAROL = address('ca401')
export const THIEF = address('7417')
export const EXCHANGE = address('e8c4')
export const SPENDER = address('59e4d')
export const MEME = address('3e3e')
export const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
export const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
export const WBTC = '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599'
const UNISWAP_V2 = '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f'
const UNISWAP_V3 = '0x1f98431c8ad98523631ae4a59f267346ea31f984'
/** Curve's factory of stable pools. */
const CURVE = '0x6a8cbed756804b16e05e741edabd5cb544ae21bf'

/** 2026-01-05 00:00 UTC; a block each twelve minutes, so that five make an hour. */
export const BEGIN = 1_767_571_200
const timeOf = (block: number) => BEGIN + (block - 1) * 720
export const hourOf = (block: number): number => Math.floor(timeOf(block) / 3_600) * 3_600
export const BLOCKS = 25

export const DECIMALS: Readonly<Record<string, number>> = { '': 18, [USDC]: 6, [WETH]: 18, [WBTC]: 8, [MEME]: 18 }
export const SYMBOLS: Readonly<Record<string, string>> = {
  '': 'ETH',
  [USDC]: 'USDC',
  [WETH]: 'WETH',
  [WBTC]: 'WBTC',
  [MEME]: 'MEME',
}

/** Amount in millionths of a coin. */
export type Move = { block: number; from: string; to: string; asset: string; micro: number }
const move = (block: number, from: string, to: string, asset: string, whole: number): Move => ({
  block,
  from,
  to,
  asset,
  micro: Math.round(whole * 1e6),
})
export const MOVES: readonly Move[] = [
  move(1, EXCHANGE, ALICE, '', 10),
  move(2, EXCHANGE, ALICE, USDC, 5_000),
  move(3, ALICE, BOB, USDC, 1_250.5),
  move(4, ALICE, BOB, '', 2),
  move(6, ALICE, CAROL, '', 0.25),
  move(7, BOB, CAROL, USDC, 500),
  move(8, THIEF, BOB, '', 3),
  move(9, BOB, CAROL, '', 1),
  move(11, CAROL, EXCHANGE, '', 1.2),
  move(12, ALICE, BOB, MEME, 1_000_000),
  move(13, BOB, CAROL, MEME, 400_000),
  move(14, EXCHANGE, CAROL, WBTC, 0.5),
  move(22, CAROL, EXCHANGE, '', 0.01),
]
/** Base units. */
export const raw = (asset: string, micro: number): bigint =>
  (BigInt(micro) * 10n ** BigInt(DECIMALS[asset] ?? 0)) / 1_000_000n

export const POOLS = [
  { pool: address('f001'), factory: UNISWAP_V2, project: 'uniswap', kind: 'v2', token0: USDC, token1: WETH },
  { pool: address('f002'), factory: UNISWAP_V3, project: 'uniswap', kind: 'v3', token0: WBTC, token1: WETH },
  // A pool of a factory nobody knows states an absurd price, and sets none.
  { pool: address('f003'), factory: address('bad'), project: '', kind: 'v2', token0: USDC, token1: WETH },
  { pool: address('f004'), factory: UNISWAP_V2, project: 'uniswap', kind: 'v2', token0: MEME, token1: WETH },
  // Whoever makes a pool of Curve may choose its prices: a trade as any, and no price.
  { pool: address('f005'), factory: CURVE, project: 'curve', kind: 'curve', token0: USDC, token1: WBTC },
] as const

/** Whole tokens that came into the pool and went out of it. */
export type Swap = { block: number; pool: number; taker: string; in0: number; in1: number }
export const SWAPS: readonly Swap[] = [
  { block: 1, pool: 0, taker: ALICE, in0: 3_000, in1: -1 },
  { block: 2, pool: 0, taker: BOB, in0: -6_200, in1: 2 },
  { block: 3, pool: 0, taker: CAROL, in0: 3_050, in1: -1 },
  { block: 4, pool: 2, taker: THIEF, in0: 9_000_000, in1: -1 },
  { block: 7, pool: 0, taker: ALICE, in0: -3_200, in1: 1 },
  { block: 8, pool: 1, taker: ALICE, in0: -0.1, in1: 2.5 },
  { block: 12, pool: 3, taker: BOB, in0: -1_000, in1: 0.5 },
  { block: 13, pool: 0, taker: BOB, in0: 1_500, in1: -0.5 },
  { block: 14, pool: 1, taker: CAROL, in0: 0.2, in1: -5 },
  { block: 15, pool: 4, taker: BOB, in0: -9_000_000, in1: 0.1 },
]

export const LIQUIDITY = [
  { block: 11, event: 'add', provider: THIEF, amount0: 2_000_000, amount1: 10 },
  { block: 15, event: 'remove', provider: THIEF, amount0: -1_900_000, amount1: -9.5 },
] as const

export const APPROVALS = [
  { block: 3, owner: ALICE, spender: SPENDER, asset: USDC, amount: 2n ** 256n - 1n },
  { block: 5, owner: BOB, spender: SPENDER, asset: USDC, amount: 2n ** 256n - 1n },
  { block: 6, owner: BOB, spender: SPENDER, asset: USDC, amount: 0n },
  { block: 7, owner: CAROL, spender: EXCHANGE, asset: WBTC, amount: 5n },
] as const

export const LABELS = [
  { address: THIEF, label: 'sanctioned', detector: 'ofac', class: 'asserted', confidence: 1, name: 'Some Thief' },
  {
    address: EXCHANGE,
    label: 'service',
    detector: 'directory',
    class: 'asserted',
    confidence: 1,
    name: 'Some Exchange',
  },
] as const

/** Versions of records, oldest first. */
export const VERDICTS = [
  { address: ALICE, status: 'Not Fraud', probability: 0.1, codes: ['model'], unknowns: [] },
  { address: BOB, status: 'Not Fraud', probability: 0.2, codes: ['model'], unknowns: ['phishing'] },
  { address: BOB, status: 'Fraud', probability: 1, codes: ['tainted_funds', 'model'], unknowns: ['phishing'] },
  { address: CAROL, status: 'Not Fraud', probability: 0.3, codes: ['model'], unknowns: ['phishing', 'mixer'] },
  { address: THIEF, status: 'Fraud', probability: 1, codes: ['sanctioned'], unknowns: [] },
] as const

/** Blocks whose source saw no calls inside transactions. */
export const BLIND = [9, 10]

const whole = (token: string, amount: number): string => {
  const units = raw(token, Math.round(Math.abs(amount) * 1e6))
  return (amount < 0 ? -units : units).toString()
}

/** Puts the story into an empty store. */
/** A wallet of SOLANA. */
const TRADER = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'
const [DOLLARS, BONK] = ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB263yFmVXo1f']
/** Its trades: SOL for a token, a token for another with a deposit in SOL, a token for SOL. */
export const SOLANA_TRADES = [
  { sold: { asset: '', raw: 5_000_000n }, bought: { asset: DOLLARS, raw: 700n } },
  { sold: { asset: DOLLARS, raw: 400n }, bought: { asset: BONK, raw: 9_000n } },
  { sold: { asset: BONK, raw: 8_000n }, bought: { asset: '', raw: 1_200_000n } },
].map((trade, n) => ({ ...trade, time: BEGIN + n, program: JUPITER }))
/** What else it did: a payment, a claim of tokens, a deposit of two tokens, a trade that failed, one that another wallet sent. */
const SOLANA_OTHERS = [
  { receiver: BONK, changes: [['', -5n]] },
  { receiver: JUPITER, changes: [[DOLLARS, 5n]] },
  {
    receiver: JUPITER,
    changes: [
      [DOLLARS, -5n],
      [BONK, -5n],
      ['', 1n],
    ],
  },
  { receiver: JUPITER, status: 0, changes: [] },
  {
    receiver: JUPITER,
    sender: BONK,
    changes: [
      [DOLLARS, -5n],
      [BONK, 5n],
    ],
  },
] as const

/** Each change of a balance as its movement, one of them in two steps of which one goes back. */
const tellOfSolana = async (put: (table: string, rows: readonly object[]) => Promise<unknown>): Promise<void> => {
  const trades = SOLANA_TRADES.map(({ program, sold, bought }) => ({
    ...{ receiver: program, status: 1, sender: TRADER },
    changes: [
      [sold.asset, -sold.raw - 3n],
      [sold.asset, 3n],
      [bought.asset, bought.raw],
      ...(sold.asset !== '' && bought.asset !== '' ? [['', -2_039_280n] as const] : []),
    ] as const,
  }))
  const all = [...trades, ...SOLANA_OTHERS.map((one) => ({ status: 1, sender: TRADER, ...one }))]
  const headOf = (n: number, event: number) => ({
    network: 'SOLANA',
    block_number: 100,
    block_time: BEGIN + n,
    position: (100n * 2n ** 34n + BigInt(n) * 2n ** 19n + BigInt(event)).toString(),
    tx_hash: `signature ${n}`,
  })
  await put(
    'transactions',
    all.map(({ receiver, status, sender }, n) => ({
      ...headOf(n, 0),
      ...{ sender, receiver, status, value: '0', fee: '5000', nonce: '0', type: 128, gas_used: '1' },
      ...{ selector: '0xe517cb97', input_size: 40, message: '' },
    })),
  )
  await put(
    'ledger',
    all.flatMap(({ changes, sender }, n) =>
      changes.map(([asset, change], event) => ({
        ...headOf(n, event + 1),
        ...{ kind: asset === '' ? 'native' : 'fungible', asset, token_id: '0', initiator: sender, address: TRADER },
        ...{
          counterparty: JUPITER,
          amount: (change < 0n ? -change : change).toString(),
          direction: change < 0n ? -1 : 1,
        },
      })),
    ),
  )
}

export const tell = async (store: Store): Promise<void> => {
  const put = (table: string, rows: readonly object[]) =>
    store.insert(table, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  await tellOfSolana(put)
  let event = 0
  const head = (block: number) => {
    event += 1
    return {
      network: 'ETH',
      block_number: block,
      block_time: timeOf(block),
      position: (BigInt(block) * 2n ** 34n + BigInt(event)).toString(),
      tx_hash: `0x${(block * 1_000 + event).toString(16).padStart(64, '0')}`,
    }
  }
  await put(
    'ledger',
    MOVES.flatMap(({ block, from, to, asset, micro }) => {
      const row = {
        ...head(block),
        kind: asset === '' ? 'native' : 'fungible',
        asset,
        token_id: '0',
        amount: raw(asset, micro).toString(),
        initiator: from,
      }
      return [
        { ...row, address: from, counterparty: to, direction: -1 },
        { ...row, address: to, counterparty: from, direction: 1 },
      ]
    }),
  )
  await put(
    'tokens',
    // USDC was seen three times: a join with it must not multiply.
    [USDC, USDC, USDC, WETH, WBTC, MEME].map((token) => ({
      ...head(1),
      token,
      standard: 'erc20',
      name: SYMBOLS[token],
      symbol: SYMBOLS[token],
      decimals: DECIMALS[token],
    })),
  )
  // Somebody announces the same pools with other coins, before and after their factories do.
  const lies = POOLS.filter(({ project }) => project !== '').map((pool) => ({
    ...pool,
    ...{ factory: address('bad'), kind: 'v4', token0: pool.token1, token1: pool.token0 },
  }))
  for (const [block, pools] of [
    [0, lies],
    [1, POOLS],
    [2, lies],
  ] as const) {
    await put(
      'pools',
      pools.map(({ pool, factory, kind, token0, token1 }) => ({
        ...head(block),
        ...{ pool, factory, kind, token0, token1, fee: 3_000, hooks: '' },
      })),
    )
  }
  await put(
    'swaps',
    SWAPS.map(({ block, pool, taker, in0, in1 }) => ({
      ...head(block),
      pool: POOLS[pool]?.pool,
      initiator: taker,
      sender: taker,
      recipient: taker,
      amount0: whole(POOLS[pool]?.token0 ?? '', in0),
      amount1: whole(POOLS[pool]?.token1 ?? '', in1),
    })),
  )
  await put(
    'liquidity',
    LIQUIDITY.map(({ block, event, provider, amount0, amount1 }) => ({
      ...head(block),
      pool: POOLS[3].pool,
      event,
      provider,
      owner: provider,
      amount0: whole(MEME, amount0),
      amount1: whole(WETH, amount1),
      liquidity: '0',
    })),
  )
  await put(
    'approvals',
    APPROVALS.map(({ block, amount, ...row }) => ({
      ...head(block),
      ...row,
      kind: 'fungible',
      amount: amount.toString(),
      initiator: row.owner,
    })),
  )
  await put('creations', [
    {
      ...head(5),
      contract: MEME,
      event: 'create',
      creator: THIEF,
      root_creator: THIEF,
      code_hash: '',
      code_size: 10,
    },
  ])
  await put(
    'blocks',
    Array.from({ length: BLOCKS }, (_, n) => ({
      network: 'ETH',
      block_number: n + 1,
      block_time: timeOf(n + 1),
      block_hash: `0x${n + 1}`,
      parent_hash: `0x${n}`,
      transaction_count: 1,
      sees_traces: BLIND.includes(n + 1) ? 0 : 1,
    })),
  )
  await put(
    'address_labels',
    LABELS.map(({ name, ...label }) => ({
      network: 'ETH',
      ...label,
      detector_version: '1',
      evidence: JSON.stringify({ name, ...(label.label === 'service' && { kind: 'exchange' }) }),
      revoked: 0,
      found_at: BEGIN,
      version: `${BEGIN}000`,
    })),
  )
  const records = VERDICTS.map(({ address, status, probability, codes, unknowns }, index) => ({
    network: 'ETH',
    address,
    version: String(BEGIN * 1_000 + index),
    status,
    probability,
    reasons: JSON.stringify(codes.map((code) => ({ code }))),
    model_version: 'm1',
    data_height: index + 1,
    computed_at: BEGIN + index,
    unknowns,
    body: JSON.stringify({ forensic_details: { sanctioned: address === THIEF ? '1' : '0' } }),
    created_at: BEGIN,
  }))
  await put('wallet_records', records)
  await put(
    'record_history',
    records.map(({ unknowns: _, body: __, created_at: ___, ...row }) => row),
  )
  await put('contract_records', [
    {
      network: 'ETH',
      address: MEME,
      version: '1',
      token: MEME,
      status: 'Fraud',
      probability: 0.9,
      risk_score: 84,
      honeypot: 1,
      dead: 1,
      owner: '',
      pool: '',
      code_hash: '',
      family_hash: 'f',
      body: JSON.stringify({ risk_status: 'High Risk', risk_indicators: { is_honeypot: 1 } }),
      reasons: '[]',
      unknowns: '{}',
      data_height: 9,
      data_hash: '0x9',
      tables_height: 9,
      watched: [],
      created_at: BEGIN,
      computed_at: BEGIN,
    },
  ])
}
