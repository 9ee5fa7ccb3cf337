/** What a wallet is likely to do next, and what might suit it. Levels are the contract's High, Medium and Low. */
import { INTENTIONS, type Intention, type IntentionLevel } from '../../schema/records/explained/profile.ts'

/** Evidence for one intention, each from 0 to 1. */
export type IntentEvidence = {
  /** Share of the wallet's recent actions that are of this kind. */
  recent: number
  /** How much that share rose against the time before, at most 1. */
  trend: number
  /** Whether it holds a position of this kind now. */
  holds: boolean
}

const HIGH = 0.66
const MEDIUM = 0.33
const SEASONED = 8

/** What is likely of a wallet nobody knows anything about: lending and trading, then games, NFTs and staking. */
const prior = (intention: Intention): number => {
  if (intention === 'Prob_Lend' || intention === 'Prob_Trade') return 0.7
  if (intention === 'Prob_Game' || intention === 'Prob_NFT' || intention === 'Prob_Stake_ETH') return 0.4
  return 0.15
}

/** Intentions that experienced wallets take up more often than others. */
const SEASONED_INTENTIONS = new Set<Intention>([
  'Prob_Stake_ETH',
  'Prob_Stake',
  'Prob_Yield_Farm',
  'Prob_Borrow',
  'Prob_Leveraged_Stake',
  'Prob_Leveraged_Stake_ETH',
  'Prob_Leveraged_Lend',
  'Prob_Leverage_Long_ETH',
  'Prob_Leverage_Long',
])

const level = (score: number): IntentionLevel => (score >= HIGH ? 'High' : score >= MEDIUM ? 'Medium' : 'Low')

/** Levels of all fourteen intentions. Without evidence the priors speak. */
export const intentionsOf = (
  evidence: Partial<Record<Intention, IntentEvidence>>,
  experience: number,
): Record<Intention, IntentionLevel> =>
  Object.fromEntries(
    INTENTIONS.map((intention) => {
      const { recent = 0, trend = 0, holds = false } = evidence[intention] ?? {}
      const seasoned = experience >= SEASONED && SEASONED_INTENTIONS.has(intention) ? 0.2 : 0
      return [intention, level(prior(intention) + seasoned + 0.6 * recent + 0.2 * trend + (holds ? 0.2 : 0))]
    }),
  ) as Record<Intention, IntentionLevel>

type Fit = { experience: number; riskCapability: number; willingness: number; stakesEth: IntentionLevel }

/** Products that fit, from what suits everybody to what needs experience and means. */
export const recommendationsOf = ({ experience, riskCapability, willingness, stakesEth }: Fit): string[] => [
  'WBTC holding',
  'ETH holding',
  'Stablecoin lending',
  ...(willingness <= 4 ? ['Fixed-rate stablecoin lending'] : []),
  ...(stakesEth !== 'Low' && experience >= 3 ? ['ETH staking'] : []),
  ...(experience >= 8 && riskCapability >= 5 ? ['Leveraged ETH staking'] : []),
  ...(willingness >= 5 && experience >= 6 ? ['Yield farming'] : []),
]
