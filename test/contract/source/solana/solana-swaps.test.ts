/** Swaps in Solana's pools and what calls of known programs did: recorded ones against logs and balances, built ones against their plan. */
import { expect, test } from 'vitest'
import { decodeBlock } from '../../../../indexer/source/solana/decode/index.ts'
import { TOKEN_CALL } from '../../../../indexer/source/solana/decode/programs.ts'
import { rawTransaction } from '../../../../indexer/source/solana/raw.ts'
import type { Rows } from '../../../../schema/block.ts'
import { SOLANA_SWAPS } from '../../../../schema/facts/markets/solana-swaps.ts'
import { protocolsOf } from '../../../../schema/registry/protocols.ts'
import { eventTagOf, selectorOfName } from '../../../../schema/registry/signatures/instructions.ts'
import { changesOf } from '../../../e2e/recorded/solana.facts.ts'
import { fixturesFolder } from '../../../kit/chain/recorded-chain.ts'
import { type Json, recordedTransactions } from '../../../kit/chain/solana/recorded-solana.ts'
import {
  address,
  type Holding,
  instruct,
  type Plan,
  token,
  transact,
  wallet,
} from '../../../kit/chain/solana/solana-transactions.ts'

const rowsOf = (transaction: Json) =>
  decodeBlock('SOLANA', {
    slot: 9,
    number: 8,
    time: 7,
    hash: 'h',
    parentHash: 'p',
    transactions: [rawTransaction.parse(transaction)],
  }).rows
const folder = fixturesFolder('solana')
const recorded = folder ? recordedTransactions(folder) : []
const isListed = (program: string) => SOLANA_SWAPS.some(({ addresses }) => addresses.includes(program))

/** Swaps that the listed programs write into the log, in order. */
const loggedSwaps = (lines: readonly string[]): string[] => {
  const running: string[] = []
  const swaps: string[] = []
  for (const line of lines) {
    const [, program = '', invoked] = line.split(' ')
    if (invoked === 'invoke') running.push(program)
    const own = running.at(-1) ?? ''
    if (/Instruction: (Swap|TwoHopSwap|Buy|Sell)|ray_log/.test(line) && isListed(own)) swaps.push(own)
    if (invoked === 'success') running.pop()
  }
  return swaps
}

/** Balances of token accounts that nobody who signed owns, as they changed, by mint. */
const poolChanges = ({ meta, transaction }: Json): string[] => {
  const { accountKeys, header } = transaction.message
  const signers = new Set(accountKeys.slice(0, header.numRequiredSignatures))
  const changes = new Map<string, bigint>()
  for (const [balances, sign] of [
    [meta.preTokenBalances, -1n],
    [meta.postTokenBalances, 1n],
  ] as const) {
    for (const { accountIndex, mint, owner, uiTokenAmount } of balances) {
      if (signers.has(owner)) continue
      const key = `${accountIndex} ${mint}`
      changes.set(key, (changes.get(key) ?? 0n) + sign * BigInt(uiTokenAmount.amount))
    }
  }
  return [...changes].map(([key, amount]) => `${key.split(' ')[1]} ${amount}`)
}

test.skipIf(!folder)('recorded swaps match the logs of programs and the balances of pool accounts', () => {
  let found = 0
  for (const { transaction } of recorded) {
    if (transaction.meta.err !== null) continue
    const { swaps } = rowsOf(transaction)
    expect(swaps.map(({ factory }) => factory)).toEqual(loggedSwaps(transaction.meta.logMessages))
    const changed = poolChanges(transaction)
    for (const { token0, amount0, token1, amount1 } of swaps) {
      expect(changed).toEqual(expect.arrayContaining([`${token0} ${amount0}`, `${token1} ${amount1}`]))
      found += 1
    }
  }
  expect(found).toBeGreaterThanOrEqual(12)
})

/** Recorded calls of Jupiter Lend: what the caller had more or less of one asset afterwards, and what the call was. */
const LENT = [
  ['2Cxrz8NW', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', -500_000_000n, 'supply'],
  ['5P8xF7oL', '', -520_001_521n, 'supply'],
  ['2VvCxb43', '', -42_002_039_281n, 'withdraw,repay'],
  ['2VvCxb43', 'jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v', 40_000_000_000n, 'withdraw,repay'],
  ['4AS3tNA6', '', 5_000_000_000n, 'withdraw'],
  ['4ecKm513', '', 2_548_139_280n, 'borrow'],
  ['2GfJEnDH', 'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr', 6_126_400n, 'borrow'],
] as const

test.skipIf(!folder)('the signs of amounts in calls of Jupiter Lend give the direction', () => {
  for (const [start, asset, change, deeds] of LENT) {
    const one = recorded.find(({ transaction }) => transaction.transaction.signatures[0].startsWith(start))?.transaction
    const caller = one.transaction.message.accountKeys[0]
    expect([start, changesOf(one).get(`${caller} ${asset}`)]).toEqual([start, change])
    expect([start, rowsOf(one).transactions.map((row) => row.deeds)]).toEqual([start, [deeds]])
  }
})

const [alice, pool, base, quote] = ['alice', 'pool', 'base', 'quote'].map(address) as [string, string, string, string]
const [aliceBase, aliceQuote, poolBase, poolQuote] = ['alice base', 'alice quote', 'pool base', 'pool quote'].map(
  address,
) as [string, string, string, string]
const holding = (account: string, owner: string, mint: string, change: bigint): Holding => ({
  ...{ account, owner, mint, decimals: 6 },
  before: 1_000n,
  after: 1_000n + change,
})
const tokens = [
  holding(aliceBase, alice, base, 90n),
  holding(aliceQuote, alice, quote, -100n),
  holding(poolBase, pool, base, -90n),
  holding(poolQuote, pool, quote, 100n),
]
const transfer = (from: string, to: string, by: string, amount: bigint) =>
  token(TOKEN_CALL.transfer, [from, to, by], { amount })
const dlmm = 'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo'
const filler = address('filler')
const named = (program: string, name: string, accounts: readonly string[], rest = Buffer.alloc(8)) =>
  instruct(program, [...accounts], Buffer.concat([Buffer.from(selectorOfName(name).slice(2), 'hex'), rest]), [])
const swap = named(dlmm, 'swap', [pool, filler, poolBase, poolQuote, aliceQuote, aliceBase])
const legs = [transfer(aliceQuote, poolQuote, alice, 100n), transfer(poolBase, aliceBase, pool, 90n)]
const traded = { pool, factory: dlmm, sender: alice, recipient: alice, initiator: alice }

/** Of the pool's tokens, the one of the lower name first. */
const ordered = (first: [string, string], second: [string, string]) => {
  const [low, high] = first[0] < second[0] ? [first, second] : [second, first]
  return { token0: low[0], amount0: low[1], token1: high[0], amount1: high[1] }
}
const swapsOf = (plan: Omit<Plan, 'signers'> & { signers?: Plan['signers'] }, change = (one: Json): Json => one) =>
  rowsOf(change(transact({ signers: ['alice'], tokens, ...plan }))).swaps

/** The depths of the calls of the first instruction, as nodes state them. */
const deep =
  (...depths: readonly (number | null)[]) =>
  (one: Json): Json => {
    for (const [index, called] of one.meta.innerInstructions[0].instructions.entries())
      called.stackHeight = depths[index]
    return one
  }

test('reads a swap through any caller; its trader is the signer, not the fee payer', () => {
  const bot = instruct(address('bot'), [alice], Buffer.from([1, 2, 3, 4]), [alice])
  const expected = { ...traded, ...ordered([base, '-90'], [quote, '100']) }
  expect(swapsOf({ instructions: [swap], inner: { 0: legs } })).toMatchObject([expected])
  const called = deep(2, 3, 3)
  expect(
    swapsOf({ instructions: [bot], inner: { 0: [swap, ...legs] }, signers: ['payer', 'alice'] }, called),
  ).toMatchObject([expected])
})

test('the tokens of a pool keep one order, whichever is sold', () => {
  const cpmm = 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C'
  const sold = (input: string, output: string) =>
    named(cpmm, 'swap_base_input', [filler, filler, filler, pool, aliceBase, aliceQuote, input, output])
  const back = [transfer(aliceBase, poolBase, alice, 90n), transfer(poolQuote, aliceQuote, pool, 100n)]
  expect(swapsOf({ instructions: [sold(poolQuote, poolBase)], inner: { 0: legs } })).toMatchObject([
    ordered([base, '-90'], [quote, '100']),
  ])
  expect(swapsOf({ instructions: [sold(poolBase, poolQuote)], inner: { 0: back } })).toMatchObject([
    ordered([base, '90'], [quote, '-100']),
  ])
})

test('ignores failed transactions, one-sided transfers and other accounts', () => {
  const other = named(dlmm, 'swap', [pool, filler, address('x'), address('y'), aliceQuote, aliceBase])
  expect(swapsOf({ instructions: [swap], inner: { 0: legs }, failed: true })).toEqual([])
  expect(swapsOf({ instructions: [swap], inner: { 0: legs.slice(0, 1) } })).toEqual([])
  expect(swapsOf({ instructions: [other], inner: { 0: legs } })).toEqual([])
  expect(swapsOf({ instructions: [named(dlmm, 'swap', [pool])], inner: { 0: legs } })).toEqual([])
  expect(swapsOf({ instructions: [named(dlmm, 'add_liquidity', [pool])], inner: { 0: legs } })).toEqual([])
})

test('excludes later transfers of the caller from a swap, where nodes report the call depth', () => {
  const zap = instruct(address('zap'), [alice], Buffer.from([9, 9, 9, 9]), [alice])
  const add = named(dlmm, 'add_liquidity2', [pool])
  const more = transfer(aliceQuote, poolQuote, alice, 5_000n)
  const expected = ordered([base, '-90'], [quote, '100'])
  const zapped = { instructions: [zap], inner: { 0: [swap, ...legs, add, more] } }
  expect(swapsOf(zapped, deep(2, 3, 3, 2, 3))).toMatchObject([{ ...traded, ...expected }])
  // Old nodes do not: then a swap ends where the next one begins.
  const twice = { instructions: [zap], inner: { 0: [swap, ...legs, swap, ...legs] } }
  expect(swapsOf(twice, deep(null, null, null, null, null, null))).toMatchObject([expected, expected])
})

test('a bonding curve that holds SOL reports its own trades, and only its own reports count', () => {
  const pump = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P'
  const curve = address('curve')
  const sell = named(pump, 'sell', [filler, filler, base, curve, poolBase, aliceBase, alice])
  const word = (value: bigint) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(value)
    return bytes
  }
  const event = (program: string, bought: 0 | 1) =>
    instruct(
      program,
      [filler],
      Buffer.concat([
        eventTagOf('TradeEvent'),
        Buffer.from(wallet('base').publicKey.toBytes()),
        word(70n),
        word(500n),
        Buffer.from([bought]),
        Buffer.from(wallet('alice').publicKey.toBytes()),
      ]),
      [],
    )
  const sold = { pool: curve, factory: pump, token0: '', amount0: '-70', token1: base, amount1: '500', sender: alice }
  expect(swapsOf({ instructions: [sell], inner: { 0: [event(pump, 0)] } })).toMatchObject([sold])
  expect(swapsOf({ instructions: [sell], inner: { 0: [event(pump, 1)] } })).toMatchObject([
    { amount0: '70', amount1: '-500' },
  ])
  expect(swapsOf({ instructions: [sell], inner: { 0: [event(address('liar'), 0)] } })).toEqual([])
  expect(swapsOf({ instructions: [sell] })).toEqual([])
})

test('both pools of a swap over two are found', () => {
  const whirlpool = 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc'
  const [second, secondBase, secondOther, other, aliceOther] = ['second', 's base', 's other', 'other', 'a other'].map(
    address,
  ) as [string, string, string, string, string]
  const hop = named(whirlpool, 'two_hop_swap', [
    ...[filler, alice, pool, second, aliceBase, poolBase, aliceQuote, poolQuote],
    ...[aliceBase, secondBase, aliceOther, secondOther],
  ])
  const inner = [...legs, transfer(aliceBase, secondBase, alice, 90n), transfer(secondOther, aliceOther, second, 7n)]
  const held = [...tokens, holding(secondBase, second, base, 90n), holding(secondOther, second, other, -7n)]
  expect(swapsOf({ instructions: [hop], inner: { 0: inner }, tokens: held })).toMatchObject([
    // What passes through between both is the trader's: 90 left the first pool and reached the second.
    { pool, ...ordered([base, '-90'], [quote, '100']) },
    { pool: second, ...ordered([base, '90'], [other, '-7']) },
  ])
})

test('a transaction gives each action with its main program, and none if it failed', () => {
  const kamino = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD'
  const deedsOf = (instructions: Plan['instructions'], failed = false): Rows['transactions']['deeds'] | undefined =>
    rowsOf(transact({ signers: ['alice'], instructions, failed })).transactions[0]?.deeds
  const supply = named(kamino, 'deposit_reserve_liquidity_and_obligation_collateral_v2', [alice])
  const borrow = named(kamino, 'borrow_obligation_liquidity_v2', [alice])
  const refresh = named(kamino, 'refresh_reserve', [alice])
  expect(deedsOf([refresh, borrow, supply])).toBe('supply,borrow')
  expect(deedsOf([supply, swap])).toBe('supply')
  expect(deedsOf([refresh])).toBe('')
  expect(deedsOf([supply], true)).toBe('')
  expect(deedsOf([named('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA', 'lending_account_repay', [alice])])).toBe(
    'repay',
  )
  const vaults = 'jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi'
  // The least number there is stands for "everything"; what is cut short says nothing.
  const all = Buffer.from(`${'00'.repeat(15)}80${'01'.padEnd(32, '0')}`, 'hex')
  const operate = (rest: Buffer) =>
    instruct(vaults, [alice], Buffer.concat([Buffer.from('d96ad06374972a87', 'hex'), rest]), [])
  expect([
    deedsOf([operate(all)]),
    deedsOf([operate(Buffer.alloc(32))]),
    deedsOf([operate(all.subarray(0, 20))]),
  ]).toEqual(['withdraw,borrow', '', 'withdraw'])
})

test('every program whose swaps are decoded is a known exchange', () => {
  const known = protocolsOf('SOLANA')
  for (const { addresses } of SOLANA_SWAPS) {
    for (const one of addresses) expect([one, known.get(one)?.kind]).toEqual([one, 'exchange'])
  }
})
