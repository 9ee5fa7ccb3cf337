/** What tests of profiles share: profiles over a store of their own, the market they are valued at, and one busy wallet. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createModel } from '../../../../deploy/roles/model.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import { createMetrics } from '../../../../platform/context/metrics.ts'
import { createProfiles, type Profiles } from '../../../../scorer/profile/profile.ts'
import { createRescore, type Rescore } from '../../../../scorer/rescore/rescore.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { NOBODY, type Step } from '../../../kit/world/steps.ts'
import { named } from '../../../kit/world/transactions.ts'

/** Opens a store for the file, empties it before each test, closes it at the end. */
export const profileKit = () => {
  let kit: TestStore
  let rescore: Rescore
  let profiles: Profiles
  const context = { metrics: createMetrics(), clock: systemClock }
  beforeAll(async () => {
    kit = await openTestStore()
    rescore = createRescore({ context, store: kit.store, model: createModel() })
  })
  const truncate = async () => {
    await kit.truncate()
    profiles = createProfiles({ context, store: kit.store, rescore })
  }
  beforeEach(truncate)
  afterAll(() => kit.close())
  return {
    store: () => kit.store,
    rescore: () => rescore,
    profiles: () => profiles,
    /** Empties the store, and forgets what was remembered of it. */
    truncate,
    /** One wallet's profile. */
    profileOf: async (address: string, asOf = NOW) => {
      const [one] = await profiles.profile('ETH', [address], asOf)
      return one!.profile
    },
  }
}

export const NOW = Date.UTC(2026, 0, 1)
export const ETH = 10n ** 18n
export const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
export const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
export const LINK = '0x514910771af9ca656af840dff83e8264ecf986ca'
const UNISWAP = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d'
const FACTORY = '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f'
const AAVE = '0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2'
export const STETH = '0xae7ab96520de3a18e5e111b5eaab095312d7fe84'
const SEAPORT = '0x00000000000000adc04c56bf30ac9d3c0aaf14dc'
export const POOL = named('pool')
const LINK_POOL = named('linkpool')

export const alice = named('alice')
export const trader = named('trader')
/** Coins that came from nowhere the test cares about. */
export const fund = (day: number, to: string, amount: bigint): Step => ({ day, from: named('mint'), to, value: amount })
export const swap = (day: number, pool: string, amount0: bigint, amount1: bigint): Step => ({
  day,
  from: trader,
  to: named('router'),
  selector: '0xdeadbeef',
  swap: { pool, amount0, amount1 },
})
export const POOLS: Step[] = [
  {
    day: 0,
    from: trader,
    to: FACTORY,
    selector: '0xc9c65396',
    pool: { pool: POOL, factory: FACTORY, token0: USDC, token1: WETH },
  },
  {
    day: 0.001,
    from: trader,
    to: FACTORY,
    selector: '0xc9c65396',
    pool: { pool: LINK_POOL, factory: FACTORY, token0: LINK, token1: WETH },
  },
]
/** On the last day ETH costs 2,000 dollars, mostly, and a LINK a hundredth of an ETH. */
export const market = (day: number): Step[] => [
  swap(day - 0.3, POOL, 2_000_000_000n, -ETH),
  swap(day - 0.2, POOL, -2_000_000_000n, ETH),
  swap(day - 0.1, POOL, 1_000_000n, -ETH),
  swap(day - 0.1, LINK_POOL, -100n * ETH, ETH),
]

/** A wallet that lends, trades, stakes and collects. */
export const busy: Step[] = [
  ...POOLS,
  fund(1, alice, 20n * ETH),
  {
    day: 10,
    from: alice,
    to: UNISWAP,
    value: ETH,
    fee: ETH / 100n,
    selector: '0x7ff36ab5',
    swap: { pool: POOL, amount0: -2_000_000_000n, amount1: ETH },
    moves: [{ from: POOL, to: alice, asset: USDC, amount: 2_000_000_000n }],
  },
  // The same swap through a router nobody knows is told by the pool's factory.
  {
    day: 350,
    from: alice,
    to: named('bot'),
    selector: '0x00000001',
    swap: { pool: POOL, amount0: -2_000_000_000n, amount1: ETH },
  },
  {
    day: 351,
    from: alice,
    to: AAVE,
    selector: '0x617ba037',
    moves: [{ from: alice, to: named('atoken'), asset: USDC, amount: 1_000_000_000n }],
  },
  {
    day: 352,
    from: alice,
    to: AAVE,
    selector: '0xa415bcad',
    moves: [{ from: named('atoken'), to: alice, asset: USDC, amount: 400_000_000n }],
  },
  {
    day: 353,
    from: alice,
    to: AAVE,
    selector: '0x573ade81',
    moves: [{ from: alice, to: named('atoken'), asset: USDC, amount: 100_000_000n }],
  },
  {
    day: 354,
    from: alice,
    to: STETH,
    value: 2n * ETH,
    selector: '0xa1903eab',
    moves: [{ from: NOBODY, to: alice, asset: STETH, amount: 2n * ETH }],
  },
  {
    day: 355,
    from: alice,
    to: SEAPORT,
    value: ETH,
    selector: '0xfb0f3ee1',
    moves: [{ from: named('seller'), to: alice, asset: named('apes'), amount: 1n, kind: 'nft' }],
  },
  { day: 356, from: alice, to: WETH, selector: '0xa9059cbb' },
  { day: 357, from: alice, to: named('bob'), value: ETH },
  // Nothing of a failed call counts but the transaction itself and its fee.
  { day: 358, from: alice, to: UNISWAP, selector: '0x7ff36ab5', fee: ETH / 100n, failed: true },
  ...market(400),
  { day: 400, from: named('miner'), to: named('bob'), value: 1n },
]
