import { parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { poolOfPair } from '../../../../schema/pairs.ts'
import { type Curves, type Launchpad, openCurves } from '../../../kit/contracts/markets/curves.ts'
import { call, E18, LISTED, listedAs, openPools, type Pools } from '../../../kit/contracts/markets/pools.ts'
import {
  NATIVE,
  openVenues,
  VENUES,
  type Venue,
  type VenueName,
  type Venues,
} from '../../../kit/contracts/markets/venues.ts'
import { compiledFile } from '../../../kit/contracts/solidity/files.ts'

let p: Pools
let venues: Venues
let curves: Curves
beforeAll(async () => {
  p = await openPools()
  venues = await openVenues(p)
  curves = await openCurves(p)
})
afterAll(() => p?.stop())

/** Who holds what a pool sells. */
const keeperOf = (name: VenueName, { exchange }: Venue, pool: string) =>
  name.includes('Curve') ? pool : name.includes('Balancer') ? exchange : p.addressFrom(exchange, '0xfbfa77cf')

const listed = async (name: VenueName, token: string, contract: string, base = p.weth as string) => {
  const venue = await venues.open(name)
  const pool = await venue.list(token, base)
  const shown = poolOfPair(pool.pool).pool
  await p.setPool(contract, token, await keeperOf(name, venue, shown))
  return { shown, analyse: venues.analysisOf([{ kind: venue.kind, factory: venue.exchange }], [pool], true) }
}

describe.each(Object.keys(VENUES) as VenueName[])('%s', (name) => {
  test.each(LISTED)('%s: is_honeypot %i, %s', async (contract, honeypot, status) => {
    const token = await p.tokenOf(contract)
    const { shown, analyse } = await listed(name, token, contract)
    const report = await analyse(token)
    expect(report).toMatchObject({
      ...listedAs(contract, honeypot, status, shown),
      honeypot: { verdict: contract === 'Honeypot' ? 'trap' : name.includes('Infinity') ? 'sells' : 'unproven' },
    })
    if (!name.includes('bins')) expect(report?.examination.market?.price).toBeCloseTo(0.00004, 6)
  })

  test("taxes are the token's, whatever the pool charges", async () => {
    const token = await p.tokenOf('FixedFee')
    const { analyse } = await listed(name, token, 'FixedFee')
    expect((await analyse(token))?.indicators).toMatchObject({ buy_tax: 3, sell_tax: 3, is_honeypot: 0 })
  })

  // In the others a person's tokens pass through a contract, which has paid by then what whoever sells first pays.
  const entrances = /Infinity|V3/.test(name) ? [['EntranceFee', 1, 'Fraud'] as const] : []
  test.each([['PatientGarden', 0, 'Not Fraud'] as const, ...entrances])(
    '%s: is_honeypot %i, by the tax of those who wait',
    async (contract, honeypot, status) => {
      const token = await p.tokenOf(contract)
      const { analyse } = await listed(name, token, contract)
      expect(await analyse(token)).toMatchObject({ status, indicators: { is_honeypot: honeypot } })
    },
  )

  const native = !name.includes('Balancer')
  test.runIf(native)('a pool against the native coin', async () => {
    const token = await p.tokenOf('Honeypot')
    const { shown, analyse } = await listed(name, token, 'Honeypot', NATIVE)
    expect(await analyse(token)).toMatchObject({
      body: { pairAddress: shown },
      indicators: { is_honeypot: 1, cannot_buy: 0 },
    })
  })
})

test('what trades in pools of an exchange that is not read has unknown flags, which neither convict nor acquit', async () => {
  const book = await p.deploy('BookStandIn')
  const abi = parseAbi(['function list(address,address,address)', 'function silence(bool)'])
  const v2 = p.registry.exchanges.find(({ kind }) => kind === 'v2')
  if (!v2) throw new Error('ETH has no V2 exchange')
  const analyse = p.analysisWith(v2, { unsupported: [{ address: book, name: 'the Book' }] })
  const unlisted = async () => {
    const token = await p.tokenOf('Honeypot')
    // The pool holds both tokens, as any contract may.
    const pair = await p.deploy('VoterStandIn')
    for (const asset of [token, p.weth])
      await p.send(asset, call(parseAbi(['function transfer(address,uint256)']), 'transfer', [pair, 10n * E18]))
    return { token, pair }
  }
  const { token, pair } = await unlisted()
  const before = await analyse(token)
  expect(before?.unknowns.is_in_dex).toBeUndefined()
  expect(before?.reasons.risk.map(({ code }) => code)).toContain('not_in_dex')
  await p.send(book, call(abi, 'list', [token, p.weth, pair]))
  const report = await analyse(token)
  const told = 'the token has a pool on the Book, which Assay does not read'
  const flags = [
    'is_in_dex',
    'liquidity',
    'market_cap',
    'lp_holders_locked',
    'is_honeypot',
    'cannot_buy',
    'buy_tax',
    'sell_tax',
  ]
  for (const flag of flags) expect(report?.unknowns[flag], flag).toBe(told)
  expect(report?.honeypot.verdict).toBe('unproven')
  const codes = report?.reasons.risk.map(({ code }) => code)
  for (const code of ['not_in_dex', 'liquidity_unlocked']) expect(codes).not.toContain(code)
  // A stranger's pool there hides nothing of a token that is listed elsewhere.
  await p.lab.addLiquidity('ETH', p.from, token, 500_000n * E18, 20n * E18)
  const elsewhere = await analyse(token)
  expect(elsewhere).toMatchObject({ indicators: { is_in_dex: 1 } })
  expect(elsewhere?.unknowns.liquidity).toBeUndefined()
  await p.send(book, call(abi, 'silence', [true]))
  expect((await analyse((await unlisted()).token))?.unknowns.is_in_dex).toBe(
    'the Book did not answer whether it has a pool of the token',
  )
})

describe.each(['four-meme', 'four-meme-1', 'flap', 'virtuals', 'virtuals-2'] as const)('a curve of %s', (design) => {
  /** A token on the curve that knows where it is sold, if it wants to know. */
  const curved = async (contract: string, listing: Parameters<Launchpad['list']>[1] = {}) => {
    const pad = await curves.open(design)
    const token = await p.tokenOf(contract)
    await pad.list(token, listing)
    await p.setPool(contract, token, await pad.vault(token))
    return { pad, token, analyse: curves.analysisOf(pad) }
  }

  const judged = [
    ['Impersonal', { is_honeypot: 0, buy_tax: 0, sell_tax: 0, cannot_buy: 0, cannot_sell_all: 0 }, 'Not Fraud'],
    ['FixedFee', { is_honeypot: 0, buy_tax: 3, sell_tax: 3, cannot_buy: 0, cannot_sell_all: 0 }, 'Not Fraud'],
    ['Honeypot', { is_honeypot: 1, buy_tax: 0, sell_tax: 100, cannot_buy: 0 }, 'Fraud'],
    ['ClosesByTime', { is_honeypot: 1, buy_tax: 0, cannot_buy: 0 }, 'Fraud'],
    ['GuestLaunch', { is_honeypot: 0, buy_tax: 100, cannot_buy: 1 }, 'Not Fraud'],
  ] as const
  // Most differ in how the launchpad is asked alone.
  const whole = design === 'four-meme' || design === 'virtuals'
  const some = judged.filter(([contract]) => whole || /Impersonal|Honeypot/.test(contract))
  test.each(some)('%s trades there as in a pool', async (contract, flags, status) => {
    const { pad, token, analyse } = await curved(contract)
    const report = await analyse(token)
    expect(report).toMatchObject({
      body: { pairAddress: await pad.vault(token) },
      indicators: { ...flags, is_in_dex: 1, liquidity: expect.closeTo(20, 6) },
      status,
      facts: { launchpad: { name: pad.name, why: null, curve: { stage: 'trading', why: null } } },
      // An account that sells through the launchpad retracts no label, nor makes one.
      honeypot: { verdict: 'unproven' },
    })
    expect(Object.hasOwn(report?.unknowns ?? {}, 'is_honeypot')).toBe(flags.cannot_buy === 1)
    // 30 coins, 10 of them imagined, for half of a million.
    expect(report?.examination.market?.price).toBeCloseTo(0.00006, 8)
  })

  test('what the launchpad refuses accuses no token, and is said', async () => {
    const { pad, token, analyse } = await curved('Impersonal')
    await pad.suspend(token)
    const report = await analyse(token)
    expect(report).toMatchObject({
      status: 'Not Fraud',
      indicators: { is_honeypot: 0, cannot_buy: 0, sell_tax: 0, is_in_dex: 1 },
    })
    for (const flag of ['is_honeypot', 'sell_tax', 'cannot_sell_all'])
      expect(report?.unknowns[flag]).toMatch(/ refuses (sales|purchases) on the token's curve/)
  })

  test.each([
    ['halted', 'closed'],
    ['graduated', 'graduated'],
  ] as const)('a %s curve is no market', async (stage, told) => {
    const { pad, token, analyse } = await curved('Impersonal', { stage })
    expect(await analyse(token)).toMatchObject({
      indicators: { is_in_dex: 0, liquidity: 0, is_honeypot: 0 },
      unknowns: { is_honeypot: 'no market to trade on' },
      facts: { launchpad: { name: pad.name, curve: { stage: told, why: null } } },
    })
  })

  test('a launchpad that is not registered decides nothing, nor does a token that it does not know', async () => {
    const { token, analyse } = await curved('Honeypot')
    const registered = await curves.open(design)
    for (const report of [await curves.analysisOf(registered)(token), await analyse(await p.tokenOf('Impersonal'))])
      expect(report).toMatchObject({
        indicators: { is_in_dex: 0, is_honeypot: 0, liquidity: 0 },
        facts: { launchpad: { name: null, curve: { stage: 'none', why: null } } },
      })
  })

  // Flap's portal answers for its own tokens alone.
  test.runIf(design !== 'flap')('where the launchpad does not answer, nothing is known of the curve', async () => {
    const token = await p.tokenOf('Impersonal')
    const pad = { ...(await curves.open(design)), address: await p.tokenOf('Owned') }
    const report = await curves.analysisOf(pad)(token)
    expect(report).toMatchObject({
      indicators: { is_in_dex: 0, liquidity: 0 },
      facts: { launchpad: { curve: { stage: null, why: `the state of its curve on ${pad.name} could not be read` } } },
    })
    for (const flag of ['is_in_dex', 'liquidity', 'market_cap'])
      expect(report?.unknowns[flag]).toMatch(/could not be read/)
  })
})

describe('a curve of four.meme', () => {
  test.each([
    ['CurveToken', 'four-meme-1'],
    ['RushedToken', 'four-meme'],
  ] as const)('%s, which nobody but the launchpad moves, is sold (%s)', async (contract, design) => {
    const pad = await curves.open(design)
    const token = await curves.restricted(pad, contract)
    const report = await curves.analysisOf(pad)(token)
    expect(report).toMatchObject({
      status: 'Not Fraud',
      indicators: { is_honeypot: 0, buy_tax: 0, sell_tax: 0, cannot_buy: 0, cannot_sell_all: 0, is_in_dex: 1 },
    })
    expect(report?.unknowns).not.toHaveProperty('is_honeypot')
    expect(report?.facts.walletTransfer).toEqual({ outcome: 'refused', tax: null, why: null })
    await pad.suspend(token)
    expect((await curves.analysisOf(pad)(token))?.unknowns.is_honeypot).toMatch(/four.meme refuses sales/)
  })

  test.each([
    ['AutumnMarket', 1, 'Fraud'],
    ['EntranceFee', 1, 'Fraud'],
    ['PatientGarden', 0, 'Not Fraud'],
  ])('%s: is_honeypot %i, because of what its tax falls to for those who wait', async (contract, honeypot, status) => {
    const pad = await curves.open('four-meme')
    const token = await p.tokenOf(contract)
    await pad.list(token)
    await p.setPool(contract, token, pad.address)
    expect(await curves.analysisOf(pad)(token)).toMatchObject({ status, indicators: { is_honeypot: honeypot } })
  })

  test('where the node simulates nothing, trades run in this process', async () => {
    const pad = await curves.open('four-meme')
    const token = await p.tokenOf('Honeypot')
    await pad.list(token)
    await p.setPool('Honeypot', token, pad.address)
    expect(await curves.alone(pad)(token)).toMatchObject({ indicators: { is_honeypot: 1, cannot_buy: 0, buy_tax: 0 } })
  })

  test('a launchpad that takes nothing back from tonight on makes no trap', async () => {
    const pad = await curves.open('four-meme')
    const token = await curves.restricted(pad)
    await pad.suspend(token, 43_200)
    expect(await curves.analysisOf(pad)(token)).toMatchObject({
      status: 'Not Fraud',
      indicators: { is_honeypot: 0, sell_tax: 0 },
    })
  })

  test('a purchase that fills the curve takes no tax', async () => {
    const pad = await curves.open('four-meme')
    const token = await p.tokenOf('Impersonal')
    await pad.list(token)
    await curves.fillAt(pad, token, 20n * E18 + 1n)
    expect(await curves.analysisOf(pad)(token)).toMatchObject({
      status: 'Not Fraud',
      indicators: { buy_tax: 0, is_in_dex: 1 },
      unknowns: { buy_tax: 'a single purchase fills the curve', is_honeypot: 'a single purchase fills the curve' },
    })
    await curves.wreck(pad, token)
    expect((await curves.analysisOf(pad)(token))?.facts.launchpad.curve.stage).toBeNull()
  })

  test('a curve against a token is paid with it, and one against a token of nobody is not read', async () => {
    const pad = await curves.open('four-meme')
    const [trap, stray] = [await p.tokenOf('Honeypot'), await p.tokenOf('Impersonal')]
    await pad.list(trap, { base: p.weth })
    await p.setPool('Honeypot', trap, pad.address)
    expect((await curves.analysisOf(pad)(trap))?.indicators).toMatchObject({ is_honeypot: 1, is_in_dex: 1 })
    await pad.list(stray, { base: await p.tokenOf('Plain') })
    expect((await curves.analysisOf(pad)(stray))?.unknowns.is_in_dex).toMatch(/not a registered asset/)
  })

  test('next to nothing on a curve proves nothing', async () => {
    const pad = await curves.open('four-meme')
    const token = await p.tokenOf('Honeypot')
    await pad.list(token, { raised: 10n ** 15n })
    await p.setPool('Honeypot', token, pad.address)
    expect(await curves.analysisOf(pad)(token)).toMatchObject({
      indicators: { is_in_dex: 0, is_honeypot: 0 },
      unknowns: { is_honeypot: expect.stringMatching(/too small/) },
    })
  })
})

test('what a curve of Flap keeps for a token is a tax, beside what the token itself takes', async () => {
  const pad = await curves.open('flap')
  const token = await p.tokenOf('FixedFee')
  await pad.list(token, { tax: 200n })
  await p.setPool('FixedFee', token, pad.address)
  expect(await curves.analysisOf(pad)(token)).toMatchObject({
    status: 'Not Fraud',
    indicators: { buy_tax: 5, sell_tax: 7, is_honeypot: 0 },
    facts: { walletTransfer: { outcome: 'accepted', tax: 0 } },
  })
})

test.each(['four-meme', 'virtuals'] as const)(
  'a token that rests at night is no trap on a curve of %s, whenever it is looked at',
  async (design) => {
    const chance = compiledFile(new URL('../../../kit/contracts/tokens/by-chance.sol', import.meta.url))
    for (const [hour, name] of [3, 12, 19].flatMap((at) => [[at, 'DatedDiary'] as const, [at, 'NightsOff'] as const])) {
      const { timestamp } = await p.lab.ask<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
      await p.lab.ask('evm_increaseTime', 86_400 - (Number(timestamp) % 86_400) + hour * 3_600)
      const token = await p.lab.deploy(p.from, chance.get(name)?.creation ?? '')
      const pad = await curves.open(design)
      await pad.list(token)
      await p.send(token, call(parseAbi(['function setPool(address)']), 'setPool', [await pad.vault(token)]))
      const report = await curves.analysisOf(pad)(token)
      expect(report).toMatchObject({ status: 'Not Fraud', indicators: { is_honeypot: 0, cannot_buy: 0 } })
    }
  },
)
