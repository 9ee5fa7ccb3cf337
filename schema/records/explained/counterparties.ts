/** Answer of POST /fraud/counterparties. */
import { z } from 'zod'
import { chain, successMessage, timestamp, walletAddress, walletStatus } from '../common.ts'
import { coverage, walletCoverage } from './coverage.ts'

/** Maximum number of counterparties per direction in an answer. */
export const MAX_COUNTERPARTIES = 10

const coins = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .meta({ description: 'Native coin, exact decimal text', example: '14.5' })

const counterparty = z
  .object({
    address: z.string().meta({ description: 'Its address', example: '0x983fd7447391bbae599ac38ea06cd9d60c89fbb6' }),
    value: coins,
    movements: z.int().meta({ description: 'Movements of coin and tokens in this direction' }),
    tokens: z.int().meta({ description: 'Number of token movements; their worth is not part of the value' }),
    firstSeen: timestamp.meta({ description: 'First movement between both, of either direction' }),
    lastSeen: timestamp,
    category: z.string().nullable().meta({ description: 'Its category; null where none is known' }),
    name: z.string().nullable().meta({ description: 'Owner, if a list names one' }),
    status: walletStatus.nullable().meta({ description: 'Its own verdict; null where none is stored' }),
    stop: z.string().nullable().meta({
      description: 'Why value is not followed through it: a service, or too many counterparties; null where it can be',
    }),
  })
  .meta({ id: 'Counterparty', description: 'An address with direct movements to or from the wallet' })

const side = z
  .object({
    counterparties: z.int().meta({ description: 'How many there are in this direction' }),
    value: coins,
    largest: z.array(counterparty).meta({
      description: `Those of most native coin, then of most movements; ${MAX_COUNTERPARTIES} at most`,
    }),
  })
  .meta({ id: 'CounterpartySide', description: 'Counterparties of one direction' })

/** The largest counterparties of a wallet in each direction, by the network's native coin. */
export const counterparties = z
  .object({
    message: successMessage,
    walletAddress,
    chain,
    unit: z.string().meta({ description: 'Symbol of the native coin', example: 'ETH' }),
    incoming: side.meta({ description: 'Those it received from' }),
    outgoing: side.meta({ description: 'Those it sent to' }),
    dataHeight: z.int().meta({ description: 'Newest block that was read' }),
    coverage: coverage.extend({ wallet: walletCoverage }).nullable().meta({
      id: 'CounterpartyCoverage',
      description: 'What of the network and of the wallet is in the tables now; null while that is not known',
    }),
  })
  .meta({ id: 'Counterparties', description: 'Addresses with direct movements to or from a wallet' })
/** The largest counterparties of a wallet in each direction, by the network's native coin. */
export type Counterparties = z.output<typeof counterparties>
