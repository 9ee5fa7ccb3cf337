/** Parts of a wallet's profile, shared by the behaviour and the segment record. */
import { z } from 'zod'

const categories = z
  .array(z.object({ Category: z.string().meta({ example: 'DeFi' }), Count: z.int().min(0).meta({ example: 12 }) }))
  .meta({ description: 'Activity counts by behavioural domain' })

const riskProfile = z
  .array(
    z.object({
      Category: z.string().meta({ example: 'Risk_Profile' }),
      Balance_age: z.number().meta({ description: 'Balance-age weighted exposure', example: 0.42 }),
    }),
  )
  .meta({ description: 'Balance-age weighted exposure and risk indicators' })

const segmentInfo = z.string().meta({
  description: 'A serialized JSON object of protocol engagement flags: protocol name to 0 or 1',
  example: '{"uniswap":1,"aave":0}',
})

const experience = z
  .object({ Type: z.string().meta({ example: 'Experience' }), Value: z.int().meta({ example: 61 }) })
  .meta({ description: 'Experience from protocol diversity and longevity' })

/** Keys of `intention.Value`, in the order of the contract. */
export const INTENTIONS = [
  'Prob_Lend',
  'Prob_Trade',
  'Prob_Game',
  'Prob_NFT',
  'Prob_Stake_ETH',
  'Prob_Borrow',
  'Prob_Gamble',
  'Prob_Stake',
  'Prob_Yield_Farm',
  'Prob_Leveraged_Stake',
  'Prob_Leveraged_Stake_ETH',
  'Prob_Leveraged_Lend',
  'Prob_Leverage_Long_ETH',
  'Prob_Leverage_Long',
] as const
export type Intention = (typeof INTENTIONS)[number]

const level = z.enum(['High', 'Medium', 'Low'])
export type IntentionLevel = z.output<typeof level>

const eachIntention = <V>(value: V): Record<Intention, V> => ({
  Prob_Lend: value,
  Prob_Trade: value,
  Prob_Game: value,
  Prob_NFT: value,
  Prob_Stake_ETH: value,
  Prob_Borrow: value,
  Prob_Gamble: value,
  Prob_Stake: value,
  Prob_Yield_Farm: value,
  Prob_Leveraged_Stake: value,
  Prob_Leveraged_Stake_ETH: value,
  Prob_Leveraged_Lend: value,
  Prob_Leverage_Long_ETH: value,
  Prob_Leverage_Long: value,
})

const intention = z
  .object({
    Type: z.string().meta({ example: 'Intentions' }),
    Value: z.object(eachIntention(level)).meta({
      description: 'What the wallet is likely to do next',
      example: eachIntention('Low'),
    }),
  })
  .meta({ description: 'Predicted intentions' })

const protocols = z
  .array(z.object({ Protocol: z.string().meta({ example: 'uniswap' }), Count: z.int().min(0).meta({ example: 9 }) }))
  .meta({ description: 'Protocols the wallet dealt with, most used first' })

const userDetails = z.object({
  wallet_age_days: z.int().min(0).meta({ example: 811 }),
  total_balance_usd: z.number().min(0).meta({ example: 1520.75 }),
  transaction_count: z.int().min(0).meta({ example: 342 }),
  wallet_rank: z.int().min(0).meta({ example: 15320 }),
})

const recommendation = z
  .object({
    Type: z.string().meta({ example: 'Recommendation' }),
    Value: z.array(z.string()).meta({ example: ['Staking'] }),
  })
  .meta({ description: 'Suggested products and ways to engage' })

export const profileFields = {
  categories,
  riskProfile,
  segmentInfo,
  experience,
  intention,
  protocols,
  userDetails,
}
export { recommendation }
