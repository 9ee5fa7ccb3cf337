import { expect, test } from 'vitest'
import { GAS_TOKENS } from '../../schema/registry/gas-tokens.ts'
import { lookOf } from '../../scorer/detection/contracts/counterfeits.ts'
import { type Action, insertRows, named, rowsOf, type Tx } from '../kit/world/transactions.ts'
import { act, crowd, flagsKit, flagsOf, move, USDC } from './flags.kit.ts'

const { clean, store, verdicts } = flagsKit()

const ZERO = `0x${'0'.repeat(40)}`
const USDP = '0x8e870d67f660d95d5be530380d0ec0bd388289e1'
const WORMHOLE_USDC = '0x41f7b8b9b897276b7aae926a9016935280b44e97'
const WORMHOLE_BRIDGE = '0x3ee18b2214aff97000d974cf647e7c347e8fa585'
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
const airdrop = (maker: string, asset: string, block: number, to: readonly string[]): Tx =>
  act(maker, asset, block, ...to.map((name) => transfer(named(maker), named(name), asset)))
const pool = (maker: string, asset: string, block: number): Tx =>
  act(maker, named('factory'), block, { do: 'pool', pool: named(`${maker}-p`), token0: asset, token1: named('weth') })

test('what passes for a canonical asset and is thrust upon many or paired is a fake token, and so is its maker', async () => {
  const people = crowd('p', 60)
  await insertRows(
    store(),
    rowsOf([
      // Cyrillic С, and a zero-width space.
      issue('forger', named('fake'), 1, 'USD\u0421', 'USD\u200b Coin'),
      airdrop('forger', named('fake'), 2, people),
      issue('pairer', named('pair'), 1, 'usdt', 'Best Dollar'),
      pool('pairer', named('pair'), 3),
      // A like symbol alone is no counterfeit of what is no money; both symbol and name are.
      issue('apes', named('apetok'), 1, 'APE', 'Angry Ape Club'),
      pool('apes', named('apetok'), 3),
      issue('initials', named('dai2'), 1, 'dAI', 'Decentralized AI'),
      pool('initials', named('dai2'), 3),
      issue('chain', named('linktok'), 1, 'LINK', 'ChainLink Token'),
      pool('chain', named('linktok'), 3),
    ]),
  )
  const [forger, fake, pairer, chain] = await verdicts(named('forger'), named('fake'), named('pairer'), named('chain'))
  const made = { fake_token: '1', number_of_malicious_contracts_created: '1', data_source: 'counterfeit-token' }
  expect(flagsOf(forger)).toEqual(made)
  expect(flagsOf(fake)).toEqual({ fake_token: '1', data_source: 'counterfeit-token' })
  expect(flagsOf(pairer)).toEqual(made)
  expect(flagsOf(chain)).toEqual(made)
  expect(forger!.reasons[0]).toMatchObject({
    code: 'FAKE_TOKEN',
    evidence: {
      contract: named('fake'),
      original: USDC,
      originalSymbol: 'USDC',
      unasked: 60,
      transactions: ['0x2-0'],
    },
  })
  await clean(named('apes'), named('apetok'), named('initials'), named('dai2'), ...people.slice(0, 5).map(named))
})

test('bridged forms, memecoins, unspread namesakes and what a bridge made are not fake tokens', async () => {
  const people = crowd('p', 60)
  await insertRows(
    store(),
    rowsOf([
      issue('bridger', WORMHOLE_USDC, 1, 'USDC', 'USD Coin (Wormhole)'),
      airdrop('bridger', WORMHOLE_USDC, 2, people),
      issue('euro', named('usdce'), 1, 'USDC.e', 'Bridged USDC'),
      pool('euro', named('usdce'), 3),
      issue('meme', named('pepe2'), 1, 'PEPE2', 'Pepe 2.0'),
      airdrop('meme', named('pepe2'), 2, people),
      issue('namesake', named('pepe'), 1, 'PEPE', 'Pepe'),
      pool('namesake', named('pepe'), 3),
      // Had the name before the coin that is known by it today.
      issue('elder', named('usdp1'), 1, 'USDP', 'USDP Stablecoin'),
      pool('elder', named('usdp1'), 3),
      act('paxos', USDP, 9, transfer(ZERO, named('paxos'), USDP)),
      issue('tester', named('testusd'), 1, 'USDT', 'Tether USD'),
      airdrop('tester', named('testusd'), 2, people.slice(0, 5)),
      issue('caller', named('whusdc'), 1, 'USDC', 'USD Coin', WORMHOLE_BRIDGE),
      pool('caller', named('whusdc'), 3),
    ]),
  )
  await clean(
    ...[
      'bridger',
      'euro',
      'usdce',
      'meme',
      'pepe2',
      'namesake',
      'pepe',
      'elder',
      'usdp1',
      'tester',
      'testusd',
      'caller',
    ].map(named),
    WORMHOLE_USDC,
  )
})

test('a test token paired with another of its maker, or by somebody else, is no fake token', async () => {
  const weth = named('testweth')
  await insertRows(
    store(),
    rowsOf([
      issue('tester', named('testusd'), 1, 'USDC', 'Test Dollar'),
      issue('tester', weth, 1, 'TWETH', 'Test Ether'),
      act('tester', named('factory'), 3, { do: 'pool', pool: named('t-p'), token0: named('testusd'), token1: weth }),
      issue('coder', named('codeusd'), 1, 'USDC', 'Mock Dollar'),
      // Anybody may mint it, and offer what he minted.
      act('framer', named('codeusd'), 2, transfer(ZERO, named('framer'), named('codeusd'))),
      act('framer', named('factory'), 3, {
        do: 'pool',
        pool: named('c-p'),
        token0: named('codeusd'),
        token1: named('weth'),
      }),
    ]),
  )
  await clean('tester', 'coder', named('testusd'), named('codeusd'))
})

test('names are compared as the eye reads them', () => {
  expect(['\uff35\uff33\uff24\uff34', 'U\u0405DT', 'usd\u0442', 'U\u200bSDT', '\u1e72S\u1e0cT'].map(lookOf)).toEqual(
    Array.from({ length: 5 }, () => 'USDT'),
  )
  expect(lookOf('USDT0')).not.toBe('USDT')
})

test('a token whose events move what nobody had is a forgery; pre-mints, spenders and taxed tokens are not', async () => {
  const owners = crowd('o', 6)
  const premint = (maker: string, asset: string): Tx[] => [
    act(
      maker,
      '',
      1,
      { do: 'create', contract: asset },
      { do: 'token-name', token: asset, symbol: 'ODD', name: 'Odd Token' },
    ),
  ]
  await insertRows(
    store(),
    rowsOf([
      ...premint('liar', named('lie')),
      act('liar', named('lie'), 3, ...owners.map((owner) => transfer(named(owner), named('sink'), named('lie')))),
      // The maker got the supply without an event, and sells it.
      ...premint('quiet', named('silent')),
      ...owners.map((owner, n) =>
        act('quiet', named('silent'), 3 + n, transfer(named('quiet'), named(owner), named('silent'))),
      ),
      // Allocations without events, moved by a contract their owners allowed.
      ...premint('grant', named('alloc')),
      ...owners.flatMap((owner, n) => [
        act(owner, named('alloc'), 3 + n, {
          do: 'approve',
          owner: named(owner),
          spender: named('puller'),
          asset: named('alloc'),
          amount: 1n,
        }),
        act('bot', named('puller'), 10 + n, transfer(named(owner), named('vault'), named('alloc'))),
      ]),
      // Balances that grow without events: more goes out than came in.
      ...premint('rebase', named('grow')),
      ...owners.flatMap((owner, n) => [
        act('rebase', named('grow'), 3 + n, transfer(ZERO, named(owner), named('grow'), 10n)),
        act('bot', named('grow'), 10 + n, transfer(named(owner), named('vault'), named('grow'), 11n)),
      ]),
      // Nothing moves: zero-value transfers anybody can cause.
      ...premint('plain', named('zero')),
      act(
        'troll',
        named('zero'),
        12,
        ...owners.map((owner) => transfer(named(owner), named('sink'), named('zero'), 0n)),
      ),
    ]),
  )
  const [liar, lie] = await verdicts(named('liar'), named('lie'))
  expect(flagsOf(liar)).toEqual({
    fake_standard_interface: '1',
    number_of_malicious_contracts_created: '1',
    data_source: 'forged-events',
  })
  expect(flagsOf(lie)).toEqual({ fake_standard_interface: '1', data_source: 'forged-events' })
  expect(lie!.reasons[0]).toMatchObject({ evidence: { owners: 6, transactions: ['0x3-0'] } })
  await clean(...['quiet', 'grant', 'rebase', 'plain', 'troll', ...owners].map(named))
})

test('forgery is not claimed while blocks are missing', async () => {
  const owners = crowd('o', 6)
  const rows = rowsOf([
    act(
      'liar',
      '',
      1,
      { do: 'create', contract: named('lie') },
      { do: 'token-name', token: named('lie'), symbol: 'ODD', name: 'Odd' },
    ),
    act('liar', named('lie'), 3, ...owners.map((owner) => transfer(named(owner), named('sink'), named('lie')))),
  ])
  rows.blocks = rows.blocks.filter((block) => block.block_number !== 2)
  await insertRows(store(), rows)
  await clean(named('liar'), named('lie'))
})

const DAY = 144
const CANCUN = Math.ceil((1_710_338_135 - 1_700_000_000) / 600)
const make = (maker: string, contract: string, block: number, code: string): Tx =>
  act(maker, named('factory'), block, { do: 'create', contract: named(contract), code_hash: code })
const destroy = (maker: string, contract: string, block: number): Tx =>
  act(maker, named(contract), block, { do: 'destroy', contract: named(contract) })

test('a contract that came back with other code is reinitialised; the same code, or two without a destruction, are not', async () => {
  await insertRows(
    store(),
    rowsOf([
      make('morpher', 'morph', 1, '0xaa'),
      destroy('morpher', 'morph', 2),
      make('morpher', 'morph', 3, '0xbb'),
      // CREATE2 with the same code, as forwarders do.
      make('forwarder', 'forward', 1, '0xaa'),
      destroy('forwarder', 'forward', 2),
      make('forwarder', 'forward', 3, '0xaa'),
      // Code that was not visible.
      make('blind', 'unseen', 1, ''),
      destroy('blind', 'unseen', 2),
      make('blind', 'unseen', 3, '0xbb'),
      // After Cancun code stays when it is destroyed in a later transaction: what follows is another reading of the chain.
      make('late', 'stays', CANCUN + DAY, '0xaa'),
      destroy('late', 'stays', CANCUN + DAY + 1),
      make('late', 'stays', CANCUN + DAY + 2, '0xbb'),
      act(
        'flash',
        named('factory'),
        CANCUN + DAY,
        { do: 'create', contract: named('flick'), code_hash: '0xaa' },
        { do: 'destroy', contract: named('flick') },
      ),
      make('flash', 'flick', CANCUN + DAY + 5, '0xbb'),
    ]),
  )
  const [morpher, morph, flash] = await verdicts(named('morpher'), named('morph'), named('flash'))
  for (const scored of [morpher, morph, flash]) {
    expect(flagsOf(scored)).toEqual({ reinit: '1', data_source: 'redeployed-contract' })
  }
  expect(morpher!.reasons[0]).toMatchObject({
    code: 'REINIT',
    evidence: { contract: named('morph'), before: '0xaa', after: '0xbb', transactions: ['0x1-0', '0x2-0', '0x3-0'] },
  })
  await clean(...['forwarder', 'forward', 'blind', 'unseen', 'late', 'stays'].map(named))
})

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
      // Gives the gas tokens to who pays for them.
      issue('fair', named('rebate'), 1, 'REB', 'Rebate'),
      ...callers.map((who, n) => approve(who, 'rebate', 25 + n, 900_000, named(who))),
      // As real gas tokens do it: minted to whoever asked, which hands them on.
      issue('thrifty', named('thrift'), 1, 'THR', 'Thrift'),
      ...callers.map((who, n) => {
        const tx = approve(who, 'thrift', 55 + n, 900_000, named('thrift'))
        return { ...tx, actions: [...(tx.actions ?? []), transfer(named('thrift'), named(who), CHI, 20n)] }
      }),
      // A service called to mint, for a fee in the same coin.
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
  // The bait's maker is the beneficiary; the token alone, seen without its maker, is not judged.
  expect(flagsOf(bait)).toEqual({})
  await clean(...['fair', 'rebate', 'thrifty', 'thrift', 'minter', 'service', 'few', ...callers].map(named))
})
