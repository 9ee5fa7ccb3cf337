/** Coverage of a network and of a wallet. */
import { z } from 'zod'

/** Blocks of a network in the tables. Included in explanations, so that a clean verdict can be judged. */
export const coverage = z
  .object({
    firstBlock: z
      .int()
      .nullable()
      .meta({ description: 'First block whose rows are in the tables; null before there is one' }),
    firstBlockTime: z.iso.datetime().nullable().meta({ description: 'Time of that block; null before there is one' }),
    storedBlock: z.int().nullable().meta({ description: 'Newest block whose rows are in the tables' }),
    authorities: z
      .object({
        complete: z.boolean().meta({
          description: 'Every log of a sanctions oracle, an issuer or a mixer is known from its first block on',
        }),
        missing: z
          .record(z.string(), z.string())
          .meta({ description: 'Why a kind of log is not: by sanctions, freeze and mixer' }),
      })
      .meta({ id: 'AuthorityCoverage', description: 'Coverage of the logs of sanctions oracles, issuers and mixers' }),
  })
  .meta({ id: 'Coverage', description: 'What of the network the verdict can rest on' })
/** Blocks of a network in the tables; null if there are none. */
export type Coverage = z.output<typeof coverage>

const fetchedPast = z
  .object({
    toBlock: z.int().meta({ description: 'Block up to which it was fetched; those above come with the stream' }),
    sent: z.boolean().meta({
      description: 'Every transaction it signed is known: as many as the nonce of the account at toBlock',
    }),
    native: z.boolean().meta({
      description: 'Every movement of native coin is known: they make up the balance of the account at toBlock',
    }),
    tokens: z.boolean().meta({ description: 'Every movement and approval of tokens is known' }),
    transactions: z.int().meta({ description: 'Transactions it signed up to toBlock, by its nonce' }),
    sources: z.array(z.string()).meta({
      description: 'How they were found: logs, otterscan, trace_filter, explorer, alchemy or nonces',
      example: ['logs', 'nonces'],
    }),
    why: z.string().nullable().meta({ description: 'What is missing, and why; null where nothing is' }),
  })
  .meta({ id: 'FetchedPast', description: 'The past of a wallet, fetched on demand' })

/** How much of a wallet's past is in the tables, in the terms of ADR 15. */
export const walletCoverage = z
  .object({
    past: z.enum(['whole', 'fresh', 'unknown']).meta({
      description:
        'whole: nothing the wallet did before firstBlock is missing; fresh: everything it signed before is known, but it may have been sent something; unknown: it may have done anything before',
    }),
    why: z.string().nullable().meta({ description: 'What is unknown about it; null if nothing is' }),
    fetched: fetchedPast.nullable().meta({
      description: 'What was fetched from before firstBlock; null if nothing was',
    }),
  })
  .meta({ id: 'WalletCoverage', description: 'What of the wallet the verdict can rest on' })
/** How much of a wallet's past is in the tables, in the terms of ADR 15. */
export type WalletCoverage = z.output<typeof walletCoverage>

/** Height of the tables at the time of a contract's analysis. */
export const contractCoverage = z
  .object({
    tablesHeight: z.int().meta({
      description:
        'Newest block of the tables when the contract was analysed: what is known of its creator and of its liquidity; 0 when they were empty',
    }),
  })
  .meta({ id: 'ContractCoverage', description: 'What of the contract the verdict can rest on' })
/** Height of the tables at the time of a contract's analysis; 0 if they were empty. */
export type ContractCoverage = z.output<typeof contractCoverage>
