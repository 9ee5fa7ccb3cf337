/** Exposure over bridges whose events name the other side: who is found there, and how somebody might have others found. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../../platform/context/clock.ts'
import { createMetrics } from '../../../../platform/context/metrics.ts'
import type { Network } from '../../../../schema/networks.ts'
import { type ExposureReport, exposureReport } from '../../../../schema/records/explained/exposure.ts'
import { ASSETS } from '../../../../schema/registry/contracts.ts'
import { MESSAGE_BRIDGES } from '../../../../schema/registry/message-bridges.ts'
import { loadExposureReport } from '../../../../scorer/ledger/exposure/load.ts'
import { writeLabels } from '../../../../scorer/ledger/labels/write.ts'
import { createRescore } from '../../../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../../../scorer/scoring/model/wallet-model.ts'
import type { Verdict } from '../../../../scorer/scoring/verdict.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { type Action, insertRows, named, rowsOf, type Tx } from '../../../kit/world/transactions.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

const DOLLAR = 10n ** 6n
const ETH = 10n ** 18n
const usdc = (network: Network) => [...ASSETS[network].values()].find(({ symbol }) => symbol === 'USDC')!.address
const contract = (network: Network, bridge: string, role: string) =>
  [...MESSAGE_BRIDGES[network].values()].find((one) => one.bridge === bridge && one.role === role)!.address
const POOL = { ETH: contract('ETH', 'across', 'pool'), BASE: contract('BASE', 'across', 'pool') }
const ZERO = `0x${'0'.repeat(40)}`

const act = (from: string, block: number, ...actions: Action[]): Tx => ({
  from: named(from),
  to: named('x'),
  block,
  actions,
})
const dollars = (network: Network, from: string, to: string, amount: bigint): Action => ({
  do: 'token',
  asset: usdc(network),
  from,
  to,
  amount: amount * DOLLAR,
})
const crossing = (
  event: 'bridge_out' | 'bridge_in',
  authority: string,
  receiver: string,
  detail: string,
  amount: bigint,
): Action => ({ do: 'authority', authority, event, subject: named(receiver), detail, amount })

/** A deposit into the pool of Ethereum, and a fill on Base from the filler's own money. */
const key = (id: number, out: bigint) => `across ETH BASE ${id} ${usdc('BASE')} ${out * DOLLAR}`
const deposit = (from: string, to: string, block: number, id: number, given: bigint, out: bigint): Tx =>
  act(
    from,
    block,
    dollars('ETH', named(from), POOL.ETH, given),
    crossing('bridge_out', POOL.ETH, to, key(id, out), given * DOLLAR),
  )
const fill = (to: string, block: number, id: number, out: bigint, paid = out): Tx =>
  act(
    'filler',
    block,
    dollars('BASE', named('filler'), named(to), paid),
    crossing('bridge_in', POOL.BASE, to, key(id, out), out * DOLLAR),
  )
const give = (network: Network, from: string, to: string, block: number, amount: bigint): Tx =>
  act(from, block, dollars(network, named(from), named(to), amount))

const world = async (networks: Partial<Record<Network, Tx[]>>) => {
  for (const [network, txs] of Object.entries(networks))
    await insertRows(kit.store, rowsOf(txs, { network: network as Network }))
}
const labelled = (network: Network, labels: Record<string, string>) =>
  writeLabels(
    kit.store,
    Object.entries(labels).map(([name, label]) => ({
      network,
      address: named(name),
      label,
      detector: 'list',
      class: 'reported' as const,
      confidence: 0.9,
      detector_version: '1',
      evidence: { name },
      tx_hash: '',
      block_number: 0,
      foundAt: 1,
    })),
  )
const report = async (network: Network, name: string): Promise<ExposureReport> =>
  exposureReport.parse(await loadExposureReport(kit.store, network, named(name)))
const scored = (network: Network, names: string[]) =>
  createRescore({
    context: { metrics: createMetrics(), clock: systemClock },
    store: kit.store,
    model: createWalletModel(),
  }).rescore(network, names.map(named), Date.UTC(2026, 0, 1))
const originsOpen = ({ unknowns }: Verdict) => unknowns.filter((why) => why.includes('another network'))
const sharesOf = ({ shares }: ExposureReport['incoming']) =>
  Object.fromEntries(Object.entries(shares).filter(([, share]) => share > 0))

test('what a filler paid is the money of who deposited it on the other network, and what was deposited went to its receiver', async () => {
  await world({
    ETH: [
      give('ETH', 'thief', 'mule', 1, 3_000n),
      give('ETH', 'friend', 'mule', 1, 1_000n),
      deposit('mule', 'w', 3, 7, 4_000n, 3_990n),
      // Came in after it had left.
      give('ETH', 'scammer', 'mule', 5, 50_000n),
    ],
    BASE: [give('BASE', 'bank', 'filler', 1, 100_000n), fill('w', 4, 7, 3_990n), give('BASE', 'w', 'shop', 6, 3_000n)],
  })
  await labelled('ETH', { thief: 'theft', scammer: 'phishing' })
  await labelled('BASE', { shop: 'phishing', bank: 'theft' })
  const { incoming } = await report('BASE', 'w')
  expect(sharesOf(incoming)).toEqual({ stolen: 0.75, unknown: 0.25 })
  expect(incoming.categories[0]?.nearest).toEqual({ hops: 2, path: [`ETH:${named('mule')}`, `ETH:${named('thief')}`] })
  expect(incoming.notFollowed.bridges).toBe('0.00')
  const { outgoing } = await report('ETH', 'mule')
  expect(sharesOf(outgoing)).toEqual({ phishing: 1 })
  expect(outgoing.categories[0]?.nearest.path).toEqual([`BASE:${named('w')}`, `BASE:${named('shop')}`])
})

test('nobody is led to others by a fill without a deposit, by a changed amount, by a gift beside it, or by a deposit that others paid', async () => {
  await world({
    ETH: [
      give('ETH', 'thief', 'mule', 1, 90_000n),
      deposit('mule', 'late', 9, 2, 1_000n, 990n),
      deposit('mule', 'w', 3, 3, 2_000n, 1_990n),
      deposit('mule', 'gifted', 3, 4, 3_000n, 2_990n),
      deposit('mule', 'once', 3, 6, 1_000n, 990n),
      // Two pay, one event each: whose is which is not told.
      act(
        'mule',
        3,
        dollars('ETH', named('mule'), POOL.ETH, 500n),
        dollars('ETH', named('other'), POOL.ETH, 500n),
        crossing('bridge_out', POOL.ETH, 'shared', key(5, 990n), 1_000n * DOLLAR),
      ),
    ],
    BASE: [
      // Nobody deposited it.
      fill('w', 4, 1, 1_000n),
      // Before its deposit.
      fill('late', 4, 2, 990n),
      // Pays less than the event says.
      fill('w', 5, 3, 1_990n, 1_900n),
      // With a gift of the same token in the same transaction.
      act(
        'filler',
        4,
        dollars('BASE', named('filler'), named('gifted'), 2_990n),
        dollars('BASE', named('stranger'), named('gifted'), 10n),
        crossing('bridge_in', POOL.BASE, 'gifted', key(4, 2_990n), 2_990n * DOLLAR),
      ),
      fill('shared', 4, 5, 990n),
      // Filled twice: the second time nobody had deposited it.
      fill('once', 4, 6, 990n),
      fill('once', 5, 6, 990n),
    ],
  })
  await labelled('ETH', { thief: 'theft' })
  for (const name of ['w', 'late', 'gifted', 'shared']) {
    expect(sharesOf((await report('BASE', name)).incoming), name).not.toHaveProperty('stolen')
  }
  expect(sharesOf((await report('BASE', 'once')).incoming)).toMatchObject({ stolen: expect.closeTo(0.5, 5) })
})

test('burnt dollar coins are followed to whom they were minted for, and back, by nonce or by who burnt how much', async () => {
  const burn = (bridge: string, from: string, to: string, block: number, id: string, amount: bigint): Tx =>
    act(
      from,
      block,
      dollars('ETH', named(from), contract('ETH', bridge, 'minter'), amount),
      crossing('bridge_out', contract('ETH', bridge, 'messenger'), to, `${bridge} ETH POLYGON ${id}`, amount * DOLLAR),
    )
  const mint = (bridge: string, to: string, block: number, id: string, amount: bigint): Tx =>
    act(
      'relayer',
      block,
      dollars('POLYGON', ZERO, named(to), amount),
      crossing(
        'bridge_in',
        contract('POLYGON', bridge, 'transmitter'),
        to,
        `${bridge} ETH POLYGON ${id}`,
        amount * DOLLAR,
      ),
    )
  const byAmount = `${named('burner')} ${600n * DOLLAR}`
  await world({
    ETH: [
      give('ETH', 'thief', 'burner', 1, 1_000n),
      burn('cctp', 'burner', 'w', 3, `11 ${400n * DOLLAR}`, 400n),
      burn('cctp-v2', 'burner', 'w', 4, byAmount, 600n),
    ],
    POLYGON: [
      mint('cctp', 'w', 5, `11 ${400n * DOLLAR}`, 400n),
      mint('cctp-v2', 'w', 6, byAmount, 599n),
      give('POLYGON', 'w', 'shop', 7, 999n),
    ],
  })
  await labelled('ETH', { thief: 'theft' })
  await labelled('POLYGON', { shop: 'phishing' })
  expect(sharesOf((await report('POLYGON', 'w')).incoming)).toEqual({ stolen: 1 })
  expect(sharesOf((await report('ETH', 'burner')).outgoing)).toEqual({ phishing: 1 })
})

test('where the other network is not indexed, a crossing stays at the bridge, or at who filled it', async () => {
  await world({ BASE: [give('BASE', 'bank', 'filler', 1, 10_000n), fill('w', 4, 7, 3_990n)] })
  await labelled('BASE', { bank: 'theft' })
  expect(sharesOf((await report('BASE', 'w')).incoming)).toEqual({ stolen: 1 })
  await kit.truncate()
  await world({ ETH: [give('ETH', 'bank', 'w', 1, 4_000n), deposit('w', 'w', 3, 7, 4_000n, 3_990n)] })
  expect(sharesOf((await report('ETH', 'w')).outgoing)).toEqual({ bridge: 1 })
})

test('coins and tokens that Polygon’s own bridge takes over are followed to the same address, both ways', async () => {
  const manager = '0xa0c68c638235ee32657e8f720a23cec1bfc77c77'
  const predicate = '0x40ec5b33f54e0e8a33a975908c5ba1c14e5bbbdf'
  const of = (network: Network, symbol: string) =>
    [...ASSETS[network].values()].find((one) => one.symbol === symbol)!.address
  const token = (asset: string, from: string, to: string, amount: bigint): Action => ({
    do: 'token',
    asset,
    from,
    to,
    amount,
  })
  const weth = of('POLYGON', 'WETH')
  await world({
    ETH: [
      give('ETH', 'thief', 'w', 1, 6_000n),
      act('w', 2, dollars('ETH', named('w'), predicate, 6_000n)),
      { from: named('friend'), to: named('w'), block: 2, value: ETH },
      { from: named('w'), to: manager, block: 3, value: ETH },
      // The way back, a week later.
      act('v', 1_100, dollars('ETH', predicate, named('v'), 2_000n)),
    ],
    POLYGON: [
      act('validator', 5, token(of('POLYGON', 'USDC.e'), ZERO, named('w'), 6_000n * DOLLAR)),
      act('validator', 6, token(weth, ZERO, named('w'), ETH)),
      act('robber', 10, token(of('POLYGON', 'USDC.e'), named('robber'), named('v'), 2_000n * DOLLAR)),
      act('v', 20, token(of('POLYGON', 'USDC.e'), named('v'), ZERO, 2_000n * DOLLAR)),
    ],
  })
  await labelled('ETH', { thief: 'theft' })
  await labelled('POLYGON', { robber: 'theft' })
  const { incoming } = await report('POLYGON', 'w')
  expect(incoming.categories.find(({ category }) => category === 'stolen')?.nearest.path).toEqual([
    `ETH:${named('w')}`,
    `ETH:${named('thief')}`,
  ])
  expect(sharesOf((await report('ETH', 'v')).incoming)).toEqual({ stolen: 1 })
  const [w] = await scored('POLYGON', ['w'])
  expect(originsOpen(w!)).toEqual([
    'exposure: origin on another network (100 % of its funds came over bridges, from ETH)',
  ])
})

test('a verdict on who got most of its money over bridges leaves its origin open, and on nobody else', async () => {
  const bridge = '0x4200000000000000000000000000000000000010'
  await world({
    ETH: [give('ETH', 'thief', 'mule', 1, 9_000n), deposit('mule', 'w', 3, 7, 8_000n, 7_990n)],
    BASE: [
      give('BASE', 'bank', 'filler', 1, 100_000n),
      fill('w', 4, 7, 7_990n),
      give('BASE', 'friend', 'w', 5, 2_000n),
      // Of another bridge: from where, no event says.
      act('boss', 6, dollars('BASE', bridge, named('by gate'), 5_000n)),
      // Most of what they have is from here, whatever strangers send over a bridge.
      give('BASE', 'friend', 'worker', 5, 5_000n),
      fill('worker', 6, 8, 4_900n),
      give('BASE', 'friend', 'dusted', 5, 50n),
      fill('dusted', 6, 9, 0n, 0n),
      // What was taken over and paid out again to another is income of the other from here.
      give('BASE', 'w', 'shop', 8, 3_000n),
    ],
  })
  await labelled('ETH', { thief: 'theft' })
  const names = ['w', 'by gate', 'worker', 'dusted', 'shop']
  const verdicts = await scored('BASE', names)
  expect(verdicts.map(originsOpen)).toEqual([
    ['exposure: origin on another network (79 % of its funds came over bridges, from ETH)'],
    ['exposure: origin on another network (100 % of its funds came over bridges)'],
    [],
    [],
    [],
  ])
  for (const { probability } of verdicts) expect(probability).toBeLessThan(0.5)
})
