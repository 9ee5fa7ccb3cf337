/** Pools against assets that are no base. */
import { describe, expect, test } from 'vitest'
import { type BesideWorld, E18, pad, ZERO } from '../world.ts'

export const poolsHold = (world: BesideWorld): void => {
  const { deploy, list, bodyOf, analysed, poolAgainst } = world
  describe('pools against other assets', () => {
    test('a pool against a registered asset that is no base is traded on and priced by the pool of that asset', async () => {
      const token = await deploy('Impersonal')
      const pool = await poolAgainst(token, world.is().asset)
      const { body, told } = await analysed(token)
      expect(body.pairAddress).toBe(pool)
      expect(body.risk_indicators).toMatchObject({ is_in_dex: 1, is_honeypot: 0, cannot_buy: 0 })
      expect(body.risk_indicators.liquidity).toBeCloseTo(100_000, 3)
      // Half a coin of the asset, which is worth a dollar, times a million.
      expect(body.risk_indicators.market_cap).toBeCloseTo(500_000, -3)
      expect(told.unknowns.filter((line) => line.startsWith('is_honeypot'))).toEqual([])
      // Whatever the order of their addresses, the pool is about the token that is known least.
      expect((await bodyOf(pool)).pairAddress).toBe(pool)
      expect(
        await world.store().query('SELECT token FROM contract_records WHERE address = {pool:String}', { pool }),
      ).toEqual([{ token }])
      const trap = await deploy('Honeypot')
      await world.is().lab.send({
        from: world.is().from,
        to: trap,
        data: `0x4437152a${pad(await poolAgainst(trap, world.is().asset))}`,
      })
      expect((await bodyOf(trap)).risk_indicators.is_honeypot).toBe(1)
    })

    test('against an asset nobody knows there is a market, and nothing is concluded from trades', async () => {
      const token = await deploy('Honeypot')
      const pool = await poolAgainst(token, world.is().stranger)
      const { body, told } = await analysed(token)
      expect(body).toMatchObject({ pairAddress: pool, risk_indicators: { is_in_dex: 1, is_honeypot: 0 } })
      expect(body.risk_indicators.market_cap).toBeCloseTo(500_000, -3)
      expect(told.unknowns).toContain('is_honeypot: its pool trades against pln, which is not a registered asset')
    })

    test('where nobody can be given anything to pay with, nothing is concluded either', async () => {
      const token = await deploy('Impersonal')
      await poolAgainst(token, world.is().scattered)
      const { body, told } = await analysed(token)
      expect(body.risk_indicators).toMatchObject({ is_in_dex: 1, cannot_buy: 0, buy_tax: 0 })
      expect(told.unknowns).toContain('cannot_buy: no ast could be provided to trade with')
    })

    test('an asset whose own pool holds next to nothing makes no market, nor does a factory nobody registered', async () => {
      const token = await deploy('Impersonal')
      await poolAgainst(token, world.is().worthless)
      expect((await bodyOf(token)).risk_indicators).toMatchObject({ is_in_dex: 0, market_cap: 0 })
      const other = await deploy('Impersonal')
      await poolAgainst(other, world.is().asset, ZERO)
      expect((await bodyOf(other)).pairAddress).toBe('')
    })

    test('a trap does not hide behind a deep pool against an asset of its own', async () => {
      const { token, pair } = await list('Honeypot', E18)
      await poolAgainst(token, world.is().stranger)
      expect(await bodyOf(token)).toMatchObject({ pairAddress: pair, risk_indicators: { is_honeypot: 1 } })
    })
  })
}
