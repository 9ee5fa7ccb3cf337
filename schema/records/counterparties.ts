/** Answer of POST /fraud/counterparties. */
import { z } from 'zod'
import { chain, successMessage, timestamp, walletAddress, walletStatus } from './common.ts'
import { coverage, walletCoverage } from './coverage.ts'

/** Counterparties of a direction in an answer. */
export const MOST_COUNTERPARTIES = 10

const coins = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .meta({ description: 'Native coin, exact decimal text', example: '14.5' })

const counterparty = z
  .object({
    address: z.string(),
    value: coins,
    movements: z.int().meta({ description: 'Movements of coin and tokens in this direction' }),
    tokens: z.int().meta({ description: 'Those of tokens; what they were worth is not part of the value' }),
    firstSeen: timestamp.meta({ description: 'First movement between both, of either direction' }),
    lastSeen: timestamp,
    category: z.string().nullable().meta({ description: 'What it is known as; null where nothing is known of it' }),
    name: z.string().nullable().meta({ description: 'Whose it is, where a list says so' }),
    status: walletStatus.nullable().meta({ description: 'Its own verdict; null where none is stored' }),
    stop: z.string().nullable().meta({
      description: 'Why value is not followed through it: a service, or too many counterparties; null where it can be',
    }),
  })
  .meta({ id: 'Counterparty' })

const side = z
  .object({
    counterparties: z.int().meta({ description: 'How many there are in this direction' }),
    value: coins,
    largest: z.array(counterparty).meta({
      description: `Those of most native coin, then of most movements; ${MOST_COUNTERPARTIES} at most`,
    }),
  })
  .meta({ id: 'CounterpartySide' })

export const counterparties = z
  .object({
    message: successMessage,
    walletAddress,
    chain,
    unit: z.string().meta({ description: 'Symbol of the native coin', example: 'ETH' }),
    incoming: side,
    outgoing: side,
    dataHeight: z.int().meta({ description: 'Newest block that was looked at' }),
    coverage: coverage.extend({ wallet: walletCoverage }).nullable().meta({ id: 'CounterpartyCoverage' }),
  })
  .meta({ id: 'Counterparties', description: 'Whom a wallet dealt with directly' })
export type Counterparties = z.output<typeof counterparties>
