/** What an analysis knows of a token beside its verdict. None of it adds to a score. */
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
    address: z.string().meta({ description: 'Who holds it', example: '0x983fd7447391bbae599ac38ea06cd9d60c89fbb6' }),
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
    top: z.array(holder).meta({ description: 'The ten that hold most; empty where unknown' }),
    why: why('the holders are not known'),
  })
  .meta({
    id: 'TokenHolders',
    description:
      'Who holds the token. Known only where its whole life is in the tables and its transfers make up its supply and balances',
  })
export type TokenHolders = z.output<typeof holders>

const holderSales = z
  .object({
    tried: z.int().meta({ description: 'Existing holders, insiders apart, whose sale was simulated', example: 10 }),
    failed: z.int().meta({ description: 'Those whose sale was refused', example: 0 }),
  })
  .meta({ id: 'HolderSales', description: 'Simulated sales of existing holders' })

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

/** What is stored with an analysis. */
export const tokenFacts = z.object({
  holders,
  holderSales,
  simulation,
  launchpad,
  liquidityEvents: listedEvents,
  trusted: z.boolean().meta({ description: 'Whether the token is a canonical asset of the network' }),
  /** Why the code is not compared with that of others; null where it is. */
  uncompared: z.string().nullable(),
})
export type TokenFacts = z.output<typeof tokenFacts>

const similarCode = z
  .object({
    analysed: z.int().nullable().meta({
      description: 'Other tokens of the same code that were analysed, on all networks; null where code is not compared',
      example: 12,
    }),
    traps: z.int().nullable().meta({
      description:
        'Those among them that Assay proved to be honeypots and that stand accused now. It says nothing of this token by itself and is no part of any score; null where code is not compared',
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

/** What an explanation shows of it. */
export const shownFacts = { ...tokenFacts.omit({ uncompared: true }).shape, similarCode }

/** Of an analysis that an earlier version of Assay made. */
export const factsUnknown = (reason: string): TokenFacts => ({
  holders: { count: null, top: [], why: reason },
  holderSales: { tried: 0, failed: 0 },
  simulation: { trials: [], plainAccount: null, why: reason },
  launchpad: { name: null, why: reason, curve: { stage: null, why: reason } },
  liquidityEvents: { complete: false, why: reason },
  trusted: false,
  uncompared: reason,
})
