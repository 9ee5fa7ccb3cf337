/** Answer of POST /fraud/counterparties. */
import { z } from 'zod'
import { chain, successMessage, timestamp, walletAddress, walletStatus } from '../common.ts'
import { coverage, walletCoverage } from './coverage.ts'

/** Counterparties of a direction in an answer. */
export const MOST_COUNTERPARTIES = 10

const coins = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .meta({ description: 'Native coin, exact decimal text', example: '14.5' })

const counterparty = z
  .object({
    address: z.string().meta({ description: 'Its address', example: '0x983fd7447391bbae599ac38ea06cd9d60c89fbb6' }),
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
  .meta({ id: 'Counterparty', description: 'Somebody the wallet dealt with directly' })

const side = z
  .object({
    counterparties: z.int().meta({ description: 'How many there are in this direction' }),
    value: coins,
    largest: z.array(counterparty).meta({
      description: `Those of most native coin, then of most movements; ${MOST_COUNTERPARTIES} at most`,
    }),
  })
  .meta({ id: 'CounterpartySide', description: 'Counterparties of one direction' })

/** The largest counterparties of a wallet on either side, in the network's native coin. */
export const counterparties = z
  .object({
    message: successMessage,
    walletAddress,
    chain,
    unit: z.string().meta({ description: 'Symbol of the native coin', example: 'ETH' }),
    incoming: side.meta({ description: 'Those it received from' }),
    outgoing: side.meta({ description: 'Those it sent to' }),
    dataHeight: z.int().meta({ description: 'Newest block that was looked at' }),
    coverage: coverage.extend({ wallet: walletCoverage }).nullable().meta({
      id: 'CounterpartyCoverage',
      description: 'What of the network and of the wallet is in the tables now; null while that is not known',
    }),
  })
  .meta({ id: 'Counterparties', description: 'Whom a wallet dealt with directly' })
/** The largest counterparties of a wallet on either side, in the network's native coin. */
export type Counterparties = z.output<typeof counterparties>
