import fc from 'fast-check'
import { expect, test } from 'vitest'
import { intentionsOf, recommendationsOf } from './intention.ts'
import { creditReasons, qualityReasons } from './reasons.ts'
import { creditRatingOf, experienceOf, qualityOf, riskCapabilityOf, riskProfileOf, segmentOf } from './scores.ts'

// Published answers of a comparable service for two wallets: an old one with much activity, and a nearly empty one.
test('the two published wallets give the published results', () => {
  expect(experienceOf({ ageDays: 3_798, transactions: 19_972, protocols: 30, categories: 9 })).toBe(10)
  expect(experienceOf({ ageDays: 349, transactions: 2, protocols: 0, categories: 0 })).toBe(0)
  expect(riskCapabilityOf(104_859.49, 3)).toBe(5)
  expect(riskCapabilityOf(0.26, 2)).toBe(1)
  const { rows, willingness } = riskProfileOf({ '1to10': 12.5 })
  expect(willingness).toBe(2)
  expect(rows.map((row) => row.Balance_age)).toEqual([0, 100, 0, 0, 0, 0, 0, 0, 0, 0, 2])
})

test('a wallet of a year, a hundred transactions, five protocols and three categories has experience 4', () => {
  expect(experienceOf({ ageDays: 365, transactions: 100, protocols: 5, categories: 3 })).toBe(4)
})

test('a wallet without evidence has the published default intentions', () => {
  const levels = intentionsOf({}, 0)
  const of = (level: string) => Object.keys(levels).filter((key) => levels[key as keyof typeof levels] === level)
  expect(of('High')).toEqual(['Prob_Lend', 'Prob_Trade'])
  expect(of('Medium')).toEqual(['Prob_Game', 'Prob_NFT', 'Prob_Stake_ETH'])
  expect(of('Low')).toHaveLength(9)
})

test('a wallet that mostly stakes and holds a stake is likely to stake again', () => {
  expect(intentionsOf({ Prob_Stake: { recent: 0.8, trend: 0.2, holds: true } }, 3).Prob_Stake).toBe('High')
})

test('recommends leverage only to experienced wallets with means', () => {
  const basic = { experience: 3, riskCapability: 9, willingness: 9, stakesEth: 'High' as const }
  expect(recommendationsOf(basic)).not.toContain('Leveraged ETH staking')
  expect(recommendationsOf({ ...basic, experience: 9 })).toContain('Leveraged ETH staking')
})

test('a flag leaves a tenth of the quality and the lowest credit', () => {
  const quality = { experience: 10, protocols: 20, averageBalanceUsd: 1e6, activeMonths: 12, probability: 0 }
  expect(qualityOf({ ...quality, flagged: false }).quality).toBe(100)
  expect(qualityOf({ ...quality, probability: 1, flagged: true }).quality).toBe(9)
  expect([segmentOf(70), segmentOf(69), segmentOf(40), segmentOf(39)]).toEqual(['A', 'B', 'B', 'C'])
  const credit = {
    probability: 0,
    newAddress: false,
    inflowMonths: 12,
    netFlowVariation: 0,
    repaidShare: 1,
    liquidations: 0,
    counterpartyTrust: 1,
  }
  expect(creditRatingOf({ ...credit, flagged: false }).rating).toBe(9)
  expect(creditRatingOf({ ...credit, flagged: true }).rating).toBe(1)
  expect(creditRatingOf({ ...credit, flagged: false, newAddress: true }).rating).toBe(5)
})

test('scores stay within their bounds and a higher fraud probability never helps', () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(
      unit,
      unit,
      fc.nat(24),
      fc.double({ min: 0, max: 5, noNaN: true }),
      unit,
      fc.nat(3),
      unit,
      (p, q, months, cv, repaid, liquidations, trust) => {
        const credit = {
          flagged: false,
          newAddress: false,
          inflowMonths: months,
          netFlowVariation: cv,
          repaidShare: repaid,
          liquidations,
          counterpartyTrust: trust,
        }
        const [low, high] = [Math.min(p, q), Math.max(p, q)]
        const better = creditRatingOf({ ...credit, probability: low }).rating
        const worse = creditRatingOf({ ...credit, probability: high }).rating
        expect(better).toBeGreaterThanOrEqual(worse)
        expect([worse >= 1, better <= 9]).toEqual([true, true])
      },
    ),
  )
})

test('components add up to their score within rounding, whatever is known of the wallet', () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true })
  const variation = fc.option(fc.double({ min: 0, max: 5, noNaN: true }), { nil: undefined })
  const sum = (reasons: { contribution: number }[]) => reasons.reduce((all, { contribution }) => all + contribution, 0)
  fc.assert(
    fc.property(
      unit,
      fc.boolean(),
      fc.boolean(),
      fc.nat(24),
      variation,
      fc.option(unit, { nil: undefined }),
      fc.nat(20),
      fc.double({ min: 0, max: 1e7, noNaN: true }),
      (probability, flagged, newAddress, months, netFlowVariation, trust, count, averageBalanceUsd) => {
        const flags = flagged ? ['mixer'] : []
        const quality = {
          ...{ experience: count % 11, protocols: count, categories: count, ageDays: count, transactions: count },
          ...{ averageBalanceUsd, activeMonths: Math.min(12, months), probability, flagged, flags },
        }
        expect(Math.abs(sum(qualityReasons(quality)) - qualityOf(quality).quality)).toBeLessThan(0.5 + 1e-6)
        const credit = {
          ...{ probability, flagged, flags, newAddress, inflowMonths: months, netFlowVariation, netFlows: [-1.005, 2] },
          ...{ borrowed: true, repaidShare: trust ?? 0.5, knownRepaidShare: trust, liquidations: count % 2 },
          counterpartyTrust: trust,
        }
        const reasons = creditReasons(credit)
        expect(Math.abs(1 + sum(reasons) - creditRatingOf(credit).rating)).toBeLessThan(0.5 + 1e-6)
        expect(reasons.every(({ contribution, most }) => contribution <= most)).toBe(true)
      },
    ),
  )
})
