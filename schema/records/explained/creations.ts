/** Answer of POST /fraud/creations. */
import { z } from 'zod'
import { chain, contractStatus, successMessage, timestamp, walletAddress } from '../common.ts'
import { coverage, walletCoverage } from './coverage.ts'

/** Contracts in an answer. */
export const MOST_CREATIONS = 50

const verdict = z
  .object({
    status: contractStatus,
    probabilityFraud: z.number().min(0).max(1).meta({ description: 'Probability of a rug pull', format: 'float' }),
    risk_score: z.int().meta({ description: 'Internal risk score' }),
    honeypot: z.boolean().meta({ description: 'Sells were blocked' }),
    liquidityRemoved: z.boolean().meta({ description: 'It had a pool whose liquidity insiders removed' }),
    computedAt: timestamp,
  })
  .meta({ id: 'CreationVerdict', description: 'Verdict on a contract, as it was last made' })

const creation = z
  .object({
    contract: z.string().meta({ description: 'Its address', example: '0x91dba2cd05c8a0227b48c3e426077145d23b21df' }),
    createdAt: timestamp,
    codeHash: z.string().nullable().meta({
      description: 'Hash of its code without metadata: equal for equal code; null where the code was not visible',
    }),
    verdict: verdict.nullable().meta({ description: 'What was found of it; null where nobody has asked about it yet' }),
  })
  .meta({ id: 'Creation', description: 'A contract that goes back to the wallet' })

/** Contracts that go back to a wallet, the newest first, with their total. */
export const creations = z
  .object({
    message: successMessage,
    walletAddress,
    chain,
    total: z.int().meta({ description: 'Contracts that go back to it' }),
    newest: z.array(creation).meta({ description: `The newest first; ${MOST_CREATIONS} at most` }),
    dataHeight: z.int().meta({ description: 'Newest block that was looked at' }),
    coverage: coverage.extend({ wallet: walletCoverage }).nullable().meta({
      id: 'CreationsCoverage',
      description: 'What of the network and of the wallet is in the tables now; null while that is not known',
    }),
  })
  .meta({ id: 'Creations', description: 'The contracts of a wallet' })
/** Contracts that go back to a wallet, the newest first, with their total. */
export type Creations = z.output<typeof creations>
