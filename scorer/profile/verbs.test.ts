import { toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { protocolsOf } from '../../schema/registry/protocols.ts'
import { selectorOfName } from '../../schema/registry/signatures/instructions.ts'
import { CALLS, verbOf, verbsOf } from './verbs.ts'

test('every selector matches its signature', () => {
  const wrong = Object.values(CALLS)
    .flatMap((calls) => Object.entries(calls))
    .filter(([selector, signature]) => toFunctionSelector(signature) !== selector)
  expect(wrong).toEqual([])
})

test('lending depends on the function, the rest on the contract; moving a token has no verb', () => {
  expect(verbOf({ kind: 'lending' }, '0x617ba037')).toBe('lend')
  expect(verbOf({ kind: 'lending' }, '0xa415bcad')).toBe('borrow')
  expect(verbOf({ kind: 'lending' }, '0x573ade81')).toBeUndefined()
  expect(verbOf({ kind: 'exchange' }, '0x12345678')).toBe('trade')
  expect(verbOf({ kind: 'exchange' }, '0xe8e33700')).toBe('farm')
  expect(verbOf({ kind: 'liquid-staking' }, '')).toBe('stake_eth')
  expect(verbOf({ kind: 'liquid-staking' }, '0xa9059cbb')).toBeUndefined()
  expect(verbOf({ kind: 'token' }, '0x12345678')).toBeUndefined()
})

test('the verb of a Solana instruction depends on its program, its name or its number', () => {
  const verb = (address: string, selector: string) => {
    const known = protocolsOf('SOLANA').get(address)
    return known ? verbOf(known, selector) : 'unknown program'
  }
  const named = (address: string, name: string) => verb(address, selectorOfName(name))
  const jupiter = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'
  // As recorded on mainnet.
  expect(verb(jupiter, '0xe517cb97')).toBe('trade')
  expect(named(jupiter, 'create_token_account')).toBeUndefined()
  const whirlpool = 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc'
  expect([
    named(whirlpool, 'swap_v2'),
    named(whirlpool, 'increase_liquidity_v2'),
    named(whirlpool, 'collect_fees'),
  ]).toEqual(['trade', 'farm', undefined])
  const kamino = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD'
  // deposit_reserve_liquidity_and_obligation_collateral_v2 as Kamino's interface definition has it.
  expect(verb(kamino, `0x${Buffer.from([216, 224, 191, 27]).toString('hex')}`)).toBe('lend')
  expect([named(kamino, 'borrow_obligation_liquidity_v2'), named(kamino, 'refresh_reserve')]).toEqual([
    'borrow',
    undefined,
  ])
  const marginfi = 'MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA'
  expect([named(marginfi, 'lending_account_deposit'), named(marginfi, 'lending_account_repay')]).toEqual([
    'lend',
    undefined,
  ])
  const marinade = 'MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD'
  // deposit and order_unstake as Marinade's documentation has them.
  expect([verb(marinade, '0xf223c689'), verb(marinade, '0x61a7906b')]).toEqual(['stake', undefined])
  const save = 'So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo'
  // 14 deposits, 10 borrows; 19 is a loan within the transaction.
  expect(['0x0e000000', '0x0a000000', '0x13c64054', ''].map((selector) => verb(save, selector))).toEqual([
    'lend',
    'borrow',
    undefined,
    undefined,
  ])
  const pool = 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy'
  expect(['0x0e00ca9a', '0x1000ca9a', '0x1900ca9a'].map((selector) => verb(pool, selector))).toEqual([
    'stake',
    undefined,
    'stake',
  ])
  const staking = 'Stake11111111111111111111111111111111111111'
  expect(['0x02000000', '0x05000000'].map((selector) => verb(staking, selector))).toEqual(['stake', undefined])
  const raydium = '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8'
  expect(['0x09c0d401', '0x03c0d401'].map((selector) => verb(raydium, selector))).toEqual(['trade', 'farm'])
  expect(named('TSWAPaqyCSx2KABk68Shruf4rp7CxcNi8hAsbdwmHbN', 'buy_single_listing')).toBe('nft')
  // Tokens of a stake pool are a position; their transfer alone says nothing.
  expect(verb('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn', '0x0e00ca9a')).toBeUndefined()
})

test('calls decoded by the source count for programs that can do them; otherwise the function decides', () => {
  const verbs = (address: string, selector: string, deeds: string) => {
    const known = protocolsOf('SOLANA').get(address)
    return known ? verbsOf(known, selector, deeds) : ['unknown program']
  }
  const vaults = 'jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi'
  const operate = '0xd96ad063'
  expect(verbs(vaults, operate, 'supply,borrow')).toEqual(['lend', 'borrow'])
  expect(verbs(vaults, operate, 'withdraw,repay')).toEqual([])
  // Rows of indexer versions that did not read arguments.
  expect(verbs(vaults, operate, '')).toEqual([])
  expect(
    verbs('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD', selectorOfName('borrow_obligation_liquidity'), ''),
  ).toEqual(['borrow'])
  // A call of the lender is no act of the exchange that it sold at, nor of the mint of a coin in the same transaction.
  expect(verbs('675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8', operate, 'supply,borrow')).toEqual([])
  expect(verbs('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn', '0xe517cb97', 'swap')).toEqual([])
  expect(verbs('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4', '0xe517cb97', 'swap')).toEqual(['trade'])
})
