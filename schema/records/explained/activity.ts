/** Answer of POST /fraud/activity. */
import { z } from 'zod'
import { chain, successMessage, timestamp, walletAddress } from '../common.ts'
import { coverage, walletCoverage } from './coverage.ts'

/** Maximum number of assets with amounts in an answer. */
export const MAX_ASSETS = 5

const day = (description: string) => z.iso.date().meta({ description, example: '2026-11-23' })
const amount = z.string().regex(/^\d+(\.\d+)?$/)
const coins = (description: string) => amount.meta({ description, example: '14.5' })
const coinsOrNot = (description: string) => amount.nullable().meta({ description, example: '14.5' })
const count = (description: string) => z.int().min(0).meta({ description, example: 3 })
const at = day('First day of the step')

const activityStep = z
  .object({
    at,
    incoming: count('Movements to it: of coins, tokens and NFTs'),
    outgoing: count('Movements from it'),
    transactions: count('Transactions it signed'),
    approvals: count('Approvals it gave or took back'),
    swaps: count('Swaps it started'),
    creations: count('Contracts created in its transactions'),
  })
  .meta({ id: 'ActivityStep', description: 'What happened in a day, a week or a month' })

const assetStep = z
  .object({
    at,
    received: coins('Received, exact decimal text in whole coins'),
    sent: coins('Sent'),
    fees: coins('Fees paid, where it is the native coin'),
    change: z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .meta({ description: 'Sum since `from`, at the end of the step', example: '-0.25' }),
    balance: coinsOrNot('Balance at the end of the step, as movements show it; null where that is not known'),
  })
  .meta({ id: 'AssetStep', description: 'What moved of an asset in a day, a week or a month' })

const assetActivity = z
  .object({
    asset: z.string().meta({ description: 'Token contract; empty for the native coin', example: '' }),
    symbol: z.string().meta({ description: 'Its symbol, of the registry', example: 'ETH' }),
    opening: coinsOrNot(
      'Balance before `from`; null where movements before the first covered block may be missing, internal calls are not visible, or the movements do not make up a balance',
    ),
    usd: z
      .string()
      .regex(/^\d+\.\d{2}$/)
      .nullable()
      .meta({
        description:
          'Newest balance in US dollars, to the cent: coins of the network at its fixed price, dollar coins as dollars; null where the balance or a price is not known',
        example: '29000.00',
      }),
    steps: z.array(assetStep).meta({ description: 'Oldest first; steps in which nothing moved are left out' }),
  })
  .meta({ id: 'AssetActivity', description: 'Movements of an asset over time' })

/** Activity of a wallet by day, week or month (UTC), as `step` states. */
export const activity = z
  .object({
    message: successMessage,
    walletAddress,
    chain,
    step: z.enum(['day', 'week', 'month']).meta({
      description: 'Days; weeks (from Monday) or months (UTC) where there were more than 400 of the finer ones',
    }),
    from: day('First day of the first step'),
    to: day('First day of the last step'),
    knownFrom: timestamp.nullable().meta({
      description: 'From when on every movement is known; null where nothing before is missing',
    }),
    knownTo: timestamp.nullable().meta({
      description: 'Time of the newest block: what came later is not known; null while no block is stored',
    }),
    cut: z.boolean().meta({
      description: 'It has more movements than are read, two million: `from` is later than requested',
    }),
    steps: z.array(activityStep).meta({ description: 'Oldest first; steps in which nothing happened are left out' }),
    assets: z.array(assetActivity).meta({
      description: `The native coin, and the registered coins of most movements; ${MAX_ASSETS} at most together`,
    }),
    otherAssets: z.int().meta({ description: 'Assets it ever moved of which no amounts are here' }),
    dataHeight: z.int().meta({ description: 'Newest block that was read' }),
    coverage: coverage.extend({ wallet: walletCoverage }).nullable().meta({
      id: 'ActivityCoverage',
      description: 'What of the network and of the wallet is in the tables now; null while that is not known',
    }),
  })
  .meta({ id: 'Activity', description: 'What a wallet did over time' })
/** Activity of a wallet by day, week or month (UTC), as `step` states. */
export type Activity = z.output<typeof activity>
