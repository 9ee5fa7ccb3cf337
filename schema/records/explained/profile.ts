/** Parts of a wallet's profile that the behaviour and the segment record share. */
import { z } from 'zod'

const categories = z
  .array(
    z.object({
      Category: z.string().meta({ description: 'Behavioural domain', example: 'DeFi' }),
      Count: z.int().min(0).meta({ description: 'Transactions of the wallet in it', example: 12 }),
    }),
  )
  .meta({ description: 'Activity counts by behavioural domain' })

const riskProfile = z
  .array(
    z.object({
      Category: z.string().meta({
        description:
          'Bucket of assets, by market capitalisation; Risk_Profile is the willingness to take risk, 1 to 10',
        example: 'Risk_Profile',
      }),
      Balance_age: z.number().meta({ description: 'Percent of dollars x time over the last 365 days', example: 0.4 }),
    }),
  )
  .meta({ description: 'Balance-age weighted exposure and risk indicators' })

const segmentInfo = z.string().meta({
  description: 'A serialized JSON object of protocol engagement flags: protocol name to 0 or 1',
  example: '{"uniswap":1,"aave":0}',
})

const experience = z
  .object({
    Type: z.string().meta({ description: 'Always Experience', example: 'Experience' }),
    Value: z.int().meta({ description: 'Experience, 0 to 10', example: 6 }),
  })
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
/** Name of an intention, as in field `intention` of the public contract. */
export type Intention = (typeof INTENTIONS)[number]

const level = z.enum(['High', 'Medium', 'Low'])
/** Likelihood of an intention, in the three levels of the public contract. */
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

/** Meaning of each intention, for the documentation. */
const WORDS = {
  Prob_Lend: 'lends',
  Prob_Trade: 'trades',
  Prob_Game: 'plays games',
  Prob_NFT: 'deals with NFTs',
  Prob_Stake_ETH: 'stakes ETH',
  Prob_Borrow: 'borrows',
  Prob_Gamble: 'gambles',
  Prob_Stake: 'stakes',
  Prob_Yield_Farm: 'farms yields',
  Prob_Leveraged_Stake: 'stakes with leverage',
  Prob_Leveraged_Stake_ETH: 'stakes ETH with leverage',
  Prob_Leveraged_Lend: 'lends with leverage',
  Prob_Leverage_Long_ETH: 'goes long on ETH with leverage',
  Prob_Leverage_Long: 'goes long with leverage',
} satisfies Record<Intention, string>

const intentionLevels = Object.fromEntries(
  INTENTIONS.map((name) => [name, level.meta({ description: `How likely it is that the wallet ${WORDS[name]} next` })]),
) as Record<Intention, typeof level>

const intention = z
  .object({
    Type: z.string().meta({ description: 'Always Intentions', example: 'Intentions' }),
    Value: z.object(intentionLevels).meta({
      description: 'What the wallet is likely to do next',
      example: eachIntention('Low'),
    }),
  })
  .meta({ description: 'Predicted intentions' })

const protocols = z
  .array(
    z.object({
      Protocol: z.string().meta({ description: 'Name of the protocol', example: 'uniswap' }),
      Count: z.int().min(0).meta({ description: 'Transactions of the wallet with it', example: 9 }),
    }),
  )
  .meta({ description: 'Protocols the wallet dealt with, most used first' })

const userDetails = z
  .object({
    wallet_age_days: z.int().min(0).meta({ description: 'Days since it was first seen', example: 811 }),
    total_balance_usd: z
      .number()
      .min(0)
      .meta({ description: 'Balance of assets with a price, in US dollars', example: 1520.75 }),
    transaction_count: z.int().min(0).meta({ description: 'Transactions sent and received', example: 342 }),
    wallet_rank: z.int().min(0).meta({
      description: 'Place among the profiled wallets of the network, 1 is best; 0 is unranked',
      example: 15320,
    }),
  })
  .meta({ description: 'Age, balance, activity and rank of the wallet' })

const recommendation = z
  .object({
    Type: z.string().meta({ description: 'Always Recommendation', example: 'Recommendation' }),
    Value: z.array(z.string()).meta({ description: 'Products that fit the wallet', example: ['Staking'] }),
  })
  .meta({ description: 'Suggested products and ways to engage' })

/** Fields that the behaviour and the segment record share. */
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
