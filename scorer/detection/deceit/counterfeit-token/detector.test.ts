import { expect, test } from 'vitest'
import { act, crowd, flagsKit, flagsOf, move, USDC } from '../../../../test/contract/scoring/flags.kit.ts'
import { type Action, insertRows, named, rowsOf, type Tx } from '../../../../test/kit/world/transactions.ts'
import { lookOf } from './names.ts'

const { clean, store, verdicts } = flagsKit()

const ZERO = `0x${'0'.repeat(40)}`
const USDP = '0x8e870d67f660d95d5be530380d0ec0bd388289e1'
const WORMHOLE_USDC = '0x41f7b8b9b897276b7aae926a9016935280b44e97'
const WORMHOLE_BRIDGE = '0x3ee18b2214aff97000d974cf647e7c347e8fa585'

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

test('a token that imitates a canonical asset and is spread to many or paired is a fake token, and its maker is flagged', async () => {
  const people = crowd('p', 60)
  await insertRows(
    store(),
    rowsOf([
      // Cyrillic С, and a zero-width space.
      issue('forger', named('fake'), 1, 'USD\u0421', 'USD\u200b Coin'),
      airdrop('forger', named('fake'), 2, people),
      issue('pairer', named('pair'), 1, 'usdt', 'Best Dollar'),
      pool('pairer', named('pair'), 3),
      // For assets that are not money, an equal symbol alone makes no counterfeit; symbol and name together do.
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

test('receivers of a counterfeit count, even if somebody announces all of them as pools', async () => {
  const people = crowd('p', 60)
  const said = people.map(
    (name): Action => ({ do: 'pool', pool: named(name), token0: named('fake'), token1: named('weth') }),
  )
  await insertRows(
    store(),
    rowsOf([
      issue('forger', named('fake'), 1, 'USDC', 'USD Coin'),
      airdrop('forger', named('fake'), 2, people),
      act('friend', named('own factory'), 3, ...said),
    ]),
  )
  const [forger] = await verdicts(named('forger'))
  expect(flagsOf(forger)).toMatchObject({ fake_token: '1' })
  expect(forger!.reasons[0]).toMatchObject({ evidence: { unasked: 60 } })
})

test('bridged forms, memecoins, unspread namesakes and bridge tokens are no fake tokens', async () => {
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
      // It had the name before the coin that is known by it today.
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

test('a test token paired with another token of its maker, or by somebody else, is no fake token', async () => {
  const weth = named('testweth')
  await insertRows(
    store(),
    rowsOf([
      issue('tester', named('testusd'), 1, 'USDC', 'Test Dollar'),
      issue('tester', weth, 1, 'TWETH', 'Test Ether'),
      act('tester', named('factory'), 3, { do: 'pool', pool: named('t-p'), token0: named('testusd'), token1: weth }),
      issue('coder', named('codeusd'), 1, 'USDC', 'Mock Dollar'),
      // Anybody may mint it, and sell the minted tokens.
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
