/** Likely next actions of a wallet and suitable products. Levels are High, Medium and Low, as in the API. */
import { INTENTIONS, type Intention, type IntentionLevel } from '../../schema/records/explained/profile.ts'

/** Evidence for one intention, each from 0 to 1. */
export type IntentEvidence = {
  /** Share of recent actions of this kind. */
  recent: number
  /** Increase of that share compared with the time before. */
  trend: number
  /** Whether it currently holds a position of this kind. */
  holds: boolean
}

const HIGH = 0.66
const MEDIUM = 0.33
const EXPERIENCED = 8

/** Score without evidence: lending and trading first, then games, NFTs and staking. */
const prior = (intention: Intention): number => {
  if (intention === 'Prob_Lend' || intention === 'Prob_Trade') return 0.7
  if (intention === 'Prob_Game' || intention === 'Prob_NFT' || intention === 'Prob_Stake_ETH') return 0.4
  return 0.15
}

/** Intentions that are more common among experienced wallets. */
const EXPERIENCED_INTENTIONS = new Set<Intention>([
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

/** Levels of all fourteen intentions. Without evidence the priors apply. */
export const intentionsOf = (
  evidence: Partial<Record<Intention, IntentEvidence>>,
  experience: number,
): Record<Intention, IntentionLevel> =>
  Object.fromEntries(
    INTENTIONS.map((intention) => {
      const { recent = 0, trend = 0, holds = false } = evidence[intention] ?? {}
      const experienced = experience >= EXPERIENCED && EXPERIENCED_INTENTIONS.has(intention) ? 0.2 : 0
      return [intention, level(prior(intention) + experienced + 0.6 * recent + 0.2 * trend + (holds ? 0.2 : 0))]
    }),
  ) as Record<Intention, IntentionLevel>

type Fit = { experience: number; riskCapability: number; willingness: number; stakesEth: IntentionLevel }

/** Suitable products, from those for everybody to those that need experience and means. */
export const recommendationsOf = ({ experience, riskCapability, willingness, stakesEth }: Fit): string[] => [
  'WBTC holding',
  'ETH holding',
  'Stablecoin lending',
  ...(willingness <= 4 ? ['Fixed-rate stablecoin lending'] : []),
  ...(stakesEth !== 'Low' && experience >= 3 ? ['ETH staking'] : []),
  ...(experience >= 8 && riskCapability >= 5 ? ['Leveraged ETH staking'] : []),
  ...(willingness >= 5 && experience >= 6 ? ['Yield farming'] : []),
]
