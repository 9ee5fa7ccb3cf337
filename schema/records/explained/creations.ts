/** Answer of POST /fraud/creations. */
import { z } from 'zod'
import { chain, contractStatus, successMessage, timestamp, walletAddress } from '../common.ts'
import { coverage, walletCoverage } from './coverage.ts'

/** Maximum number of contracts in an answer. */
export const MAX_CREATIONS = 50

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
    verdict: verdict.nullable().meta({ description: 'Its verdict; null where none was requested yet' }),
  })
  .meta({ id: 'Creation', description: 'A contract created in a transaction of the wallet' })

/** Contracts created by a wallet, newest first, and their total. */
export const creations = z
  .object({
    message: successMessage,
    walletAddress,
    chain,
    total: z.int().meta({ description: 'Number of contracts created in its transactions' }),
    newest: z.array(creation).meta({ description: `The newest first; ${MAX_CREATIONS} at most` }),
    dataHeight: z.int().meta({ description: 'Newest block that was read' }),
    coverage: coverage.extend({ wallet: walletCoverage }).nullable().meta({
      id: 'CreationsCoverage',
      description: 'What of the network and of the wallet is in the tables now; null while that is not known',
    }),
  })
  .meta({ id: 'Creations', description: 'The contracts of a wallet' })
/** Contracts created by a wallet, newest first, and their total. */
export type Creations = z.output<typeof creations>
