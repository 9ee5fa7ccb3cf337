/** Simulated trades as they are shown. */
import { describe, expect, test } from 'vitest'
import type { BesideWorld } from '../world.ts'

export const tradesHold = (world: BesideWorld): void => {
  const { list, explained, analysed } = world
  describe('simulated trades', () => {
    /** Steps of the trials of a kind: what was done, what came of it, and why not. */
    const stepsOf = async (token: string, kind: string) => {
      const { simulation } = (await analysed(token)).told
      return simulation.trials
        .filter(({ trial }) => trial === kind)
        .map(({ steps }) => steps.map(({ action, outcome, reason }) => [action, outcome, reason]))
    }

    test('of an honest token are stated with amounts, tax and gas, now and later', async () => {
      const { token } = await list('Impersonal')
      const { simulation } = (await analysed(token)).told
      expect(simulation).toMatchObject({ plainAccount: null, why: null })
      const steps = simulation.trials.flatMap((trial) => trial.steps)
      expect(new Set(steps.map(({ outcome, reason }) => `${outcome} ${reason}`))).toEqual(new Set(['accepted null']))
      const [person, late, ...contracts] = simulation.trials
      expect(late).toMatchObject({ trial: 'late_seller', actor: 'person', account: null, opened: false })
      const [bought, soldAll] = late?.steps ?? []
      expect(late?.steps).toHaveLength(2)
      // Blocks of Ethereum are 12 seconds apart.
      expect(bought).toMatchObject({ action: 'buy', part: 0.001, secondsLater: 12 })
      expect(soldAll).toMatchObject({ action: 'sell', part: 1 })
      expect(person).toMatchObject({ trial: 'person', actor: 'person', account: null, opened: false })
      expect(person?.steps.map(({ action }) => action)).toEqual(['buy', 'approve', ...Array(5).fill('sell')])
      const [, , first, minutes, hour, day, month] = person?.steps.map(({ secondsLater }) => secondsLater) ?? []
      expect(soldAll?.secondsLater).toBe(day)
      // Drawn from the block: within a minute, ten minutes, two hours, two days, and five weeks.
      expect([first! < 60, minutes! < 600, hour! < 7_200, day! < 172_800, month! < 3_283_200]).toEqual(
        Array(5).fill(true),
      )
      expect(contracts.every(({ actor }) => actor === 'contract')).toBe(true)
      // Its transfers cannot know the time: one moment stands for all.
      expect(contracts.filter(({ trial }) => trial === 'sell_all').map(({ steps }) => steps[0]?.secondsLater)).toEqual([
        12,
      ])
      const all = contracts.find(({ trial }) => trial === 'sell_all')
      expect(all?.steps).toMatchObject([
        { action: 'buy', part: 0.001, tax: 0 },
        { action: 'sell', part: 1, tax: 0 },
      ])
      const [purchase, sold] = all?.steps ?? []
      // A thousandth of 20 coins buys a little less than a thousandth of 500,000 tokens.
      expect(Number(purchase?.arrived)).toBeGreaterThan(498)
      expect(Number(purchase?.arrived)).toBeLessThan(500)
      expect(sold?.sent).toBe(purchase?.arrived)
      for (const { gas } of all?.steps ?? []) expect(gas).toBeGreaterThan(30_000)
    })

    test('of a trap show who is refused, with its words, and that the owner is not', async () => {
      const { token } = await list('Honeypot')
      const [person] = await stepsOf(token, 'person')
      expect(person?.slice(0, 2)).toEqual([
        ['buy', 'accepted', null],
        ['approve', 'accepted', null],
      ])
      expect(person?.slice(2)).toEqual(Array.from({ length: 5 }, () => ['sell', 'refused', 'TF']))
      expect(await stepsOf(token, 'transfer')).toEqual([
        [
          ['buy', 'accepted', null],
          ['transfer', 'accepted', null],
          ['transfer_from', 'accepted', null],
        ],
      ])
      expect((await stepsOf(token, 'insider')).flat()).toContainEqual(['sell', 'accepted', null])
      expect((await explained(token)).simulation.plainAccount).toMatchObject({ outcome: 'refused' })
    })

    test('of people who sell for the first time late are steps as well', async () => {
      // Sold within a minute or never.
      const { token } = await list('ClosesByAge')
      const [late] = await stepsOf(token, 'late_seller')
      expect(late?.map(([action, outcome]) => [action, outcome])).toEqual([
        ['buy', 'accepted'],
        ...Array.from({ length: 4 }, () => ['sell', 'refused']),
      ])
      // Taxed in the first hour: sales are tried sooner too.
      const patient = await list('PatientGarden')
      const { simulation } = (await analysed(patient.token)).told
      const sellers = simulation.trials.filter(({ trial }) => trial === 'late_seller')
      expect(sellers.map(({ steps }) => steps.map(({ action, tax }) => [action, tax]))).toEqual(
        Array.from({ length: 3 }, () => [
          ['buy', 0],
          ['sell', 0],
        ]),
      )
      const [day, hour, half] = sellers.map(({ steps }) => (steps[1]?.secondsLater ?? 0) / 3_600)
      expect(day).toBeGreaterThanOrEqual(25)
      expect(day).toBeLessThan(48)
      expect(Math.floor(hour ?? 0)).toBe(1)
      expect(Math.abs((half ?? 0) - 16)).toBeLessThanOrEqual(4)
    })

    test('of who sent tokens and who was sent some are steps as well', async () => {
      const { token } = await list('PatientGarden')
      const sold = Array(2).fill(['sell', 'accepted', null])
      const approved = ['approve', 'accepted', null]
      const passedOn = [['buy', 'accepted', null], ['transfer', 'accepted', null], approved]
      expect(await stepsOf(token, 'sender')).toEqual([[...passedOn, ...sold]])
      expect(await stepsOf(token, 'recipient')).toEqual([[approved, ...sold]])
    })

    test('that could not be made, or had nothing to sell, are no refusals', async () => {
      const stub = await world.is().lab.deploy(world.is().from, '0x6005600c60003960056000f3600160005260206000f3')
      expect((await analysed(stub)).told.simulation).toEqual({
        trials: [],
        plainAccount: null,
        why: 'no market to trade on',
      })
      // Nobody can buy while trading is closed, so nobody has anything to sell.
      const { token } = await list('NotOpen')
      const { simulation } = (await analysed(token)).told
      const closed = simulation.trials.filter(({ trial, opened }) => trial === 'sell_all' && !opened)
      expect(closed[0]?.steps).toMatchObject([
        { action: 'buy', outcome: 'refused', reason: 'UniswapV2: TRANSFER_FAILED', tax: null },
        { action: 'sell', outcome: 'not_run', reason: null, tax: null, gas: null },
      ])
      const open = simulation.trials.find(({ trial, opened }) => trial === 'sell_all' && opened)
      expect(open?.steps.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted'])
    })
  })
}
