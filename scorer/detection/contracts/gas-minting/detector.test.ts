import { expect, test } from 'vitest'
import { GAS_TOKENS } from '../../../../schema/registry/contracts.ts'
import { act, flagsKit, flagsOf, move } from '../../../../test/contract/scoring/flags.kit.ts'
import { type Action, insertRows, named, rowsOf, type Tx } from '../../../../test/kit/world/transactions.ts'

const { clean, store, verdicts } = flagsKit()

const ZERO = `0x${'0'.repeat(40)}`
const CHI = [...GAS_TOKENS.ETH.values()].find(({ symbol }) => symbol === 'CHI')!.address

const transfer = (from: string, to: string, asset: string, amount = 1000n): Action => move(from, to, amount, asset)

/** Creates a token, names it, and mints to its maker. */
const issue = (maker: string, asset: string, block: number, symbol: string, name: string, creator?: string): Tx =>
  act(
    maker,
    '',
    block,
    { do: 'create', contract: asset, ...(creator === undefined ? {} : { creator }) },
    transfer(ZERO, named(maker), asset, 10n ** 9n),
    { do: 'token-name', token: asset, symbol, name },
  )

test('a token that mints gas tokens for its maker at the callers’ cost abuses gas; one that mints for the caller does not', async () => {
  const callers = ['c1', 'c2', 'c3', 'c4']
  const approve = (
    who: string,
    asset: string,
    block: number,
    gas: number,
    beneficiary: string,
    selector = '0x095ea7b3',
  ) => ({
    ...act(who, named(asset), block, transfer(ZERO, beneficiary, CHI, 20n)),
    selector,
    gas,
  })
  await insertRows(
    store(),
    rowsOf([
      issue('leech', named('bait'), 1, 'BAIT', 'Bait'),
      ...callers.map((who, n) => approve(who, 'bait', 5 + n, 900_000, named('leech'))),
      issue('self', named('own'), 1, 'OWN', 'Own'),
      ...callers.map((who, n) => approve(who, 'own', 15 + n, 900_000, named('own'))),
      // Gives the gas tokens to the callers who pay for them.
      issue('fair', named('rebate'), 1, 'REB', 'Rebate'),
      ...callers.map((who, n) => approve(who, 'rebate', 25 + n, 900_000, named(who))),
      // As real gas tokens work: minted to the caller, a service that passes them on.
      issue('thrifty', named('thrift'), 1, 'THR', 'Thrift'),
      ...callers.map((who, n) => {
        const tx = approve(who, 'thrift', 55 + n, 900_000, named('thrift'))
        return { ...tx, actions: [...(tx.actions ?? []), transfer(named('thrift'), named(who), CHI, 20n)] }
      }),
      // A service that mints for its callers, for a fee in the same coin.
      issue('minter', named('service'), 1, 'SVC', 'Service'),
      ...callers.map((who, n) => approve(who, 'service', 35 + n, 900_000, named('minter'), '0xa0712d68')),
      // Two callers are no pattern.
      issue('few', named('rare'), 1, 'RARE', 'Rare'),
      ...callers.slice(0, 2).map((who, n) => approve(who, 'rare', 45 + n, 900_000, named('few'))),
    ]),
  )
  const [leech, bait, own] = await verdicts(named('leech'), named('bait'), named('own'))
  expect(flagsOf(leech)).toEqual({
    gas_abuse: '1',
    number_of_malicious_contracts_created: '1',
    data_source: 'gas-minting',
  })
  expect(flagsOf(own)).toEqual({ gas_abuse: '1', data_source: 'gas-minting' })
  expect(leech!.reasons.find(({ code }) => code === 'GAS_ABUSE')).toMatchObject({
    evidence: { contract: named('bait'), asset: CHI, callers: callers.map(named), transactions: { length: 4 } },
  })
  // The maker of the bait is the beneficiary; the token alone, without its maker, is not judged.
  expect(flagsOf(bait)).toEqual({})
  await clean(...['fair', 'rebate', 'thrifty', 'thrift', 'minter', 'service', 'few', ...callers].map(named))
})

test('the maker of a token with hooks is not accused of what three callers have their own contracts mint to it', async () => {
  const calls = (who: string, asset: string, block: number, ...actions: Action[]) => ({
    ...act(who, named(asset), block, ...actions),
    selector: '0xa9059cbb',
    gas: actions.length > 0 ? 900_000 : 60_000,
  })
  const customers = Array.from({ length: 10 }, (_, n) => `u${n}`)
  await insertRows(
    store(),
    rowsOf([
      issue('issuer', named('hooked'), 1, 'HOOK', 'Hooked'),
      ...customers.map((who, n) => calls(who, 'hooked', 5 + n)),
      // Transfers to contracts of the framer, the hooks of which mint to the issuer.
      ...['f1', 'f2', 'f3'].map((who, n) => calls(who, 'hooked', 30 + n, transfer(ZERO, named('issuer'), CHI, 20n))),
      issue('leech', named('bait'), 1, 'BAIT', 'Bait'),
      ...customers.slice(0, 6).map((who, n) => calls(who, 'bait', 5 + n)),
      ...customers.slice(6).map((who, n) => calls(who, 'bait', 40 + n, transfer(ZERO, named('leech'), CHI, 20n))),
    ]),
  )
  const [leech] = await verdicts(named('leech'))
  expect(flagsOf(leech)).toMatchObject({ gas_abuse: '1' })
  await clean(named('issuer'))
})
