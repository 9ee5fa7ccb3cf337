import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { poolOfPair } from '../../../schema/pairs.ts'
import { LISTED, listedAs, openPools, type Pools } from '../../kit/chain/pools.ts'
import { NATIVE, openVenues, VENUES, type Venue, type VenueName, type Venues } from '../../kit/chain/venues.ts'

let p: Pools
let venues: Venues
beforeAll(async () => {
  p = await openPools()
  venues = await openVenues(p)
})
afterAll(() => p?.stop())

/** Who holds what a pool sells. */
const keeperOf = (name: VenueName, { exchange }: Venue, pool: string) =>
  name.includes('Curve') ? pool : name.includes('Balancer') ? exchange : p.addressFrom(exchange, '0xfbfa77cf')

const listed = async (name: VenueName, token: string, contract: string, base = p.weth as string) => {
  const venue = await venues.open(name)
  const pool = await venue.list(token, base)
  const shown = poolOfPair(pool.pool).pool
  await p.tell(contract, token, await keeperOf(name, venue, shown))
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
