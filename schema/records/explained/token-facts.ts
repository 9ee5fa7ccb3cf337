/** Facts about a token besides its verdict. They do not affect any score. */
import { z } from 'zod'
import { chain, timestamp } from '../common.ts'
import { simulation } from './simulation.ts'

const why = (what: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `Why ${what}; null where it is`, example: 'its creation is not in the tables' })

const lock = z
  .object({
    share: z.number().min(0).max(1).meta({ description: 'Part of the supply, 0 to 1', example: 0.1 }),
    until: timestamp.meta({ description: 'When it can begin to leave' }),
  })
  .meta({ id: 'TokenLock', description: 'Tokens that a registered locker holds until a date' })

const holder = z
  .object({
    address: z.string().meta({ description: 'The holder', example: '0x983fd7447391bbae599ac38ea06cd9d60c89fbb6' }),
    amount: z
      .string()
      .regex(/^\d+(\.\d+)?$/)
      .meta({ description: 'Whole tokens, exact decimal text', example: '500000' }),
    share: z.number().min(0).max(1).meta({ description: 'Part of the supply, 0 to 1', example: 0.5 }),
    contract: z.boolean().meta({ description: 'Whether there is code at the address' }),
    tags: z.array(z.string()).meta({
      description:
        'burned, token, creator, owner, pool, locker, the name that the registry knows the address by, and labels in force as `label: phishing`',
      example: ['pool'],
    }),
    locks: z
      .array(lock)
      .nullable()
      .meta({ description: 'For a registered locker, what it holds until when; null where it names no date' }),
  })
  .meta({ id: 'TokenHolder', description: 'A holder of the token' })

const holders = z
  .object({
    count: z.int().nullable().meta({
      description: 'Accounts that hold any of the token, contracts and dead addresses included; null where unknown',
      example: 1_204,
    }),
    top: z.array(holder).meta({ description: 'The ten largest; empty where unknown' }),
    why: why('the holders are not known'),
  })
  .meta({
    id: 'TokenHolders',
    description:
      'Holders of the token. Known only where its whole history is in the tables and its transfers add up to its supply and balances',
  })
/** Distribution of a token's supply over its holders. */
export type TokenHolders = z.output<typeof holders>

const percent = (description: string) => z.number().min(0).max(100).meta({ description, example: 5 })
const many = (description: string) => z.int().nullable().meta({ description, example: 0 })

const recentSales = z
  .object({
    sellers: many('Accounts, owner and creator apart, that signed a sale in a pool of the token; null where unknown'),
    sales: many('What they sold in; null where unknown'),
    from: timestamp.nullable().meta({ description: 'Time of the first block that was read' }),
    to: timestamp.nullable().meta({ description: 'Time of the last one' }),
    why: why('that is not known'),
  })
  .meta({
    id: 'RecentSales',
    description:
      'Sales that happened, in the newest 50,000 blocks or as many as the tables have without a gap. Sellers may include those behind the token',
  })
/** Accounts, except owner and creator, that sold the token in its pools, and the blocks searched. */
export type RecentSales = z.output<typeof recentSales>

const emptied = z
  .object({
    compared: many('Accounts whose balance was compared with their transfers; null where unknown'),
    holders: many(
      'Receivers without code that now hold less than a tenth of it and sent nothing: it was taken without a transfer, or never theirs',
    ),
    why: why('that is not known'),
  })
  .meta({ id: 'EmptiedHolders', description: 'Holders whose tokens are gone' })
/** Accounts whose balance is far below the sum of their transfers. */
export type EmptiedHolders = z.output<typeof emptied>

const holderSales = z
  .object({
    tried: z.int().meta({
      description: 'Existing holders, insiders apart, whose sale was simulated and answered',
      example: 10,
    }),
    failed: z.int().meta({ description: 'Those whose sale was refused at every moment tried', example: 0 }),
    siphoned: many(
      'Those whose sale was accepted, and of which less than a tenth of what others get arrived; null where unknown',
    ),
    tax: z
      .object({ lowest: percent('Percent'), median: percent('Percent'), highest: percent('Percent') })
      .nullable()
      .meta({
        id: 'HolderTaxes',
        description: 'Loss of holders who could sell; null where nobody could, or it is unknown',
      }),
    why: why('not all of this is known'),
    recent: recentSales,
    emptied,
  })
  .meta({ id: 'HolderSales', description: 'Sales of existing holders: simulated ones, and those that happened' })

const liquidityHolder = holder
  .omit({ amount: true })
  .extend({ share: z.number().min(0).max(1).meta({ description: 'Part of the liquidity, 0 to 1', example: 0.5 }) })
  .meta({ id: 'LiquidityHolder', description: 'A holder of liquidity' })

const liquidityHolders = z
  .object({
    top: z.array(liquidityHolder).meta({
      description: 'The ten largest holders of the liquidity of pairAddress, among those with 0.1 % or more',
    }),
    why: why('who holds the liquidity is not known'),
  })
  .meta({ id: 'LiquidityHolders', description: 'Holders of the liquidity, by LP tokens or positions' })
/** Holders of the liquidity of the token's pools. */
export type LiquidityHolders = z.output<typeof liquidityHolders>

const holding = holder
  .pick({ address: true, amount: true, share: true })
  .nullable()
  .meta({ id: 'InsiderHolding', description: 'Holding of the token by an insider; null where there is none' })

const insiders = z
  .object({ owner: holding, creator: holding, why: why('that is not known') })
  .meta({ id: 'InsiderHoldings', description: 'Holdings of the token by its owner and its creator' })
/** Holdings of the owner and the creator of a token; null if there is no such account. */
export type InsiderHoldings = z.output<typeof insiders>

const pools = z
  .array(
    z
      .object({
        pairAddress: z.string().meta({ description: 'Pool contract, or its id', example: `0x${'ab'.repeat(20)}` }),
        design: z.string().meta({ description: 'Design of the pool: v2, v3, v4, solidly, curve, ...', example: 'v2' }),
        asset: z.string().meta({ description: 'Symbol of the other side', example: 'WETH' }),
        liquidity: z
          .string()
          .regex(/^\d+(\.\d+)?$/)
          .meta({ description: 'Its amount of the other side, exact decimal text', example: '20' }),
        usd: z.string().nullable().meta({
          description: 'The same in US dollars, to the cent; null where no price is known',
          example: '40000.00',
        }),
      })
      .meta({ id: 'TokenPool', description: 'A pool of the token' }),
  )
  .meta({ description: 'Pools that hold anything of their other side, the deepest first, twenty at most' })

const walletTransfer = z
  .object({
    outcome: z
      .enum(['accepted', 'refused'])
      .nullable()
      .meta({ description: 'Outcome; null where it could not be tried', example: 'accepted' }),
    tax: z.number().min(0).max(100).nullable().meta({
      description: 'Percent of what was sent that did not arrive; null where nothing was accepted',
      example: 0,
    }),
    why: why('it could not be tried'),
  })
  .meta({
    id: 'WalletTransfer',
    description:
      'Simulated transfer from one account to another, away from any market. Tokens on a bonding curve often refuse it until they leave the curve',
  })

const curve = z
  .object({
    stage: z.enum(['none', 'trading', 'closed', 'graduated']).nullable().meta({
      description:
        'Whether the token trades on the bonding curve of a registered launchpad. `none`: no such curve knows it; `closed`: halted or full, with no pool yet; `graduated`: it left its curve; null where unknown',
      example: 'trading',
    }),
    why: why('the state of its curve is not known'),
  })
  .meta({ id: 'TokenCurve', description: 'Bonding curve of the token' })

const launchpad = z
  .object({
    name: z.string().nullable().meta({
      description: 'Registered launchpad that created the token; null where none did, or where that is unknown',
      example: 'four.meme',
    }),
    why: why('the contract that created the token is not known'),
    curve,
  })
  .meta({ id: 'TokenLaunchpad', description: 'Launchpad of the token' })

const listedEvents = z
  .object({
    complete: z
      .boolean()
      .meta({ description: 'Whether liquidityEvent of the record holds every event of the token’s life' }),
    why: why('it is not complete'),
  })
  .meta({ id: 'ListedLiquidity', description: 'How much of the token’s life liquidityEvent of the record covers' })

/** The part stored with an analysis. */
export const tokenFacts = z.object({
  holders,
  holderSales,
  walletTransfer,
  liquidityHolders,
  insiders,
  pools,
  simulation,
  launchpad,
  liquidityEvents: listedEvents,
  trusted: z.boolean().meta({ description: 'Whether the token is a canonical asset of the network' }),
  /** Why the code is not compared with that of others; null if it is. */
  uncompared: z.string().nullable(),
})
/** Facts in explanations of contracts besides the verdict; they do not affect the score. */
export type TokenFacts = z.output<typeof tokenFacts>

const similarCode = z
  .object({
    analysed: z.int().nullable().meta({
      description: 'Other tokens of the same code that were analysed, on all networks; null where code is not compared',
      example: 12,
    }),
    traps: z.int().nullable().meta({
      description:
        'How many of those tokens Assay has proved to be honeypots. This is no evidence about this token and does not affect any score; null if code is not compared',
      example: 0,
    }),
    examples: z
      .array(
        z
          .object({
            chain,
            contractAddress: z.string().meta({ description: 'The token', example: `0x${'cc'.repeat(20)}` }),
          })
          .meta({ id: 'SimilarToken', description: 'A proved honeypot of the same code' }),
      )
      .meta({ description: 'Some of the honeypots' }),
    why: why('the code is not compared'),
  })
  .meta({
    id: 'SimilarCode',
    description:
      'Tokens whose code is equal but for constants, immutables and metadata. Code of several contracts and very short code is not compared',
  })

/** The part shown in explanations. */
export const shownFacts = { ...tokenFacts.omit({ uncompared: true }).shape, similarCode }

/** Facts of an analysis by an earlier version of Assay. */
export const factsUnknown = (reason: string): TokenFacts => ({
  holders: { count: null, top: [], why: reason },
  holderSales: {
    ...{ tried: 0, failed: 0, siphoned: null, tax: null, why: reason },
    recent: { sellers: null, sales: null, from: null, to: null, why: reason },
    emptied: { compared: null, holders: null, why: reason },
  },
  walletTransfer: { outcome: null, tax: null, why: reason },
  liquidityHolders: { top: [], why: reason },
  insiders: { owner: null, creator: null, why: reason },
  pools: [],
  simulation: { trials: [], plainAccount: null, why: reason },
  launchpad: { name: null, why: reason, curve: { stage: null, why: reason } },
  liquidityEvents: { complete: false, why: reason },
  trusted: false,
  uncompared: reason,
})
