/** Pools in which whoever made them decides what trades pay and which are refused. */
import { type Address, getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContractAnalysis } from '../../../../scorer/contracts/analysis.ts'
import { E18, installed, openPools, type Pools } from '../../../kit/contracts/markets/pools.ts'
import { NATIVE, openV4, POOL_MANAGER, type V4Pools } from '../../../kit/contracts/markets/pools-v4.ts'
import {
  type Listing,
  openVenues,
  type Venue,
  type VenueName,
  type Venues,
} from '../../../kit/contracts/markets/venues.ts'

let p: Pools
let venues: Venues
let stranger: Address
beforeAll(async () => {
  p = await openPools()
  venues = await openVenues(p)
  stranger = getAddress(p.lab.accounts[5] ?? '')
})
afterAll(() => p?.stop())

const UNKNOWN = ['is_honeypot', 'cannot_sell_all', 'is_anti_whale', 'trading_cooldown']
const RULED = [
  'a stable pool of Curve',
  'three tokens of Balancer V2',
  'three tokens of Balancer V3',
  'ranges of Infinity',
  'bins of Infinity',
] as const
/** Pools of Infinity have rules of their own where they have a hook. */
const HOOK = `0x${'40'.repeat(20)}`

const pooled = async (name: VenueName, token: string, listing: Listing, others: readonly Venue[] = []) => {
  const venue = await venues.open(name)
  const hooks = name.includes('Infinity') ? { hooks: HOOK } : {}
  const pool = await venue.list(token, p.weth, { ...hooks, ...listing })
  const exchanges = [venue, ...others].map(({ kind, exchange }) => ({ kind, factory: exchange }))
  const v2 = p.registry.exchanges.filter(({ kind }) => kind === 'v2').slice(0, 1)
  return { pool, analyse: venues.analysisOf([...v2, ...exchanges], [pool]) }
}
const inPair = (token: string, coins = 1n) => p.lab.addLiquidity('ETH', p.from, token, 50_000n * E18, coins * E18)

describe.each(RULED)('%s', (name) => {
  test.each([true, false])(
    "a stranger's pool that does not take an honest token accuses nobody (refuses: %s)",
    async (refuses) => {
      const token = await p.tokenOf('Owned')
      const { analyse } = await pooled(name, token, { rule: await venues.oneWay(token, refuses), by: stranger })
      const report = await analyse(token)
      expect(report).toMatchObject({ status: 'Not Fraud', indicators: { is_honeypot: 0, sell_tax: 0, is_in_dex: 1 } })
      for (const flag of UNKNOWN) expect(report?.unknowns[flag]).toMatch(/creator of its only pool/)
    },
  )

  test('the same pool made by those behind the token is a trap', async () => {
    const token = await p.tokenOf('Owned')
    const refusing = await pooled(name, token, { rule: await venues.oneWay(token, true) })
    expect(await refusing.analyse(token)).toMatchObject({ status: 'Fraud', indicators: { is_honeypot: 1 } })
    const stingy = await pooled(name, token, { rule: await venues.oneWay(token, false) })
    expect(await stingy.analyse(token)).toMatchObject({
      status: 'Fraud',
      indicators: { is_honeypot: 1, sell_tax: 100 },
    })
  })

  test.each([true, false])('a sale of new tokens that ends tonight is no trap (takes back: %s)', async (takesBack) => {
    const token = await p.tokenOf('Owned')
    const { analyse } = await pooled(name, token, { rule: await venues.sale(token, takesBack) })
    expect(await analyse(token)).toMatchObject({ status: 'Not Fraud', indicators: { is_honeypot: 0, sell_tax: 0 } })
  })

  test('what an ordinary pool shows is believed, however deep the other', async () => {
    const honest = await p.tokenOf('Owned')
    await inPair(honest)
    const closed = await pooled(name, honest, { rule: await venues.oneWay(honest, true), by: stranger })
    const report = await closed.analyse(honest)
    expect(report).toMatchObject({
      status: 'Not Fraud',
      indicators: { is_honeypot: 0, cannot_buy: 0, liquidity: expect.closeTo(20, 6) },
    })
    expect(report?.unknowns).not.toHaveProperty('is_honeypot')

    const trap = await p.tokenOf('Honeypot')
    await p.setPool('Honeypot', trap, await inPair(trap))
    const open = await pooled(name, trap, {})
    expect(await open.analyse(trap)).toMatchObject({ status: 'Fraud', indicators: { is_honeypot: 1 } })
  })

  test('a small ordinary pool hides no trap in the large one of those behind the token', async () => {
    const token = await p.tokenOf('Owned')
    await inPair(token)
    const { analyse } = await pooled(name, token, { rule: await venues.oneWay(token, true) })
    expect(await analyse(token)).toMatchObject({ status: 'Fraud', indicators: { is_honeypot: 1 } })
  })
})

describe.skipIf(!installed(POOL_MANAGER))('hooks of V4 (skipped when the package is not installed)', () => {
  let v4: V4Pools
  let analyse: ContractAnalysis
  let now: number
  beforeAll(async () => {
    v4 = await openV4(p)
    analyse = p.analysisWith({ kind: 'v4', manager: v4.manager }, {}, { accused: true })
    now = Number(await p.lab.ask<string>('eth_blockNumber'))
  })
  const hooked = async (until: number, by = p.from) => {
    const token = await p.tokenOf('Owned')
    return v4.list(token, NATIVE, { hooks: await v4.hook(token, until, by), by })
  }

  test("one of a stranger's that refuses an honest token accuses nobody", async () => {
    const { token } = await hooked(0, stranger)
    const report = await analyse(token)
    expect(report).toMatchObject({ status: 'Not Fraud', indicators: { is_honeypot: 0, sell_tax: 0 } })
    expect(report?.unknowns.is_honeypot).toMatch(/creator of its only pool/)
  })

  test('one that refuses sales some blocks after the listing is a trap', async () => {
    const { token } = await hooked(now + 900)
    const report = await analyse(token)
    expect(report).toMatchObject({ status: 'Fraud', indicators: { is_honeypot: 1, cannot_buy: 0 } })
  })

  test('one that can be closed stops trade when its keeper likes', async () => {
    const { token } = await hooked(2 ** 40)
    const report = await analyse(token)
    expect(report).toMatchObject({ status: 'Not Fraud', indicators: { is_honeypot: 0, transfer_pausable: 1 } })
  })

  test('one that a stranger can close says nothing of the token', async () => {
    const { token } = await hooked(2 ** 40, stranger)
    expect(await analyse(token)).toMatchObject({
      status: 'Not Fraud',
      indicators: { is_honeypot: 0, transfer_pausable: 0 },
    })
  })

  test.each(['those behind the token', 'a stranger'])(
    'one of %s is watched for the record of the token',
    async (whose) => {
      const { token, key } = await hooked(2 ** 40, whose === 'a stranger' ? stranger : p.from)
      expect((await analyse(token))?.examination.dependencies).toContain(key[4])
    },
  )
})
