/** Payments without a chain: a ledger in memory, and headers that are as valid as the facilitator at hand calls them. */
import { randomBytes } from 'node:crypto'
import type { Facilitator } from '../../../api/x402/chain/facilitator.ts'
import { createPaymentGate } from '../../../api/x402/gate.ts'
import type { Ledger, Payment } from '../../../api/x402/ledger.ts'
import { createLocalReservations } from '../../../api/x402/reservations.ts'
import type { Context } from '../../../platform/context.ts'
import { testContext } from './kit.ts'

export const RECEIVER = `0x${'11'.repeat(20)}`

export const memoryLedger = (rows = new Map<string, Payment>()): Ledger => ({
  find: async (key) => rows.get(key),
  write: async (payment) => void rows.set(payment.key, payment),
  unsettled: async () => [...rows.values()].filter((row) => row.state === 'settling'),
})

const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`
/** Unix seconds from now. */
export const secondsFromNow = (seconds: number) => String(Math.floor(Date.now() / 1_000) + seconds)

/** Headers of a payment whose signature nobody but the facilitator looks at. */
export const payment = (change: Record<string, unknown> = {}): { 'x-payment': string } => {
  const authorization = {
    from: hex(20),
    to: RECEIVER,
    value: '150000',
    validAfter: '0',
    validBefore: secondsFromNow(300),
    nonce: hex(32),
    ...change,
  }
  const value = { x402Version: 1, scheme: 'exact', network: 'base', payload: { signature: hex(65), authorization } }
  return { 'x-payment': Buffer.from(JSON.stringify(value)).toString('base64') }
}

/** A facilitator that agrees, counting what it settled. */
export const agreeing = (change: Partial<Facilitator> = {}) => {
  const settled: string[] = []
  const facilitator: Facilitator = {
    verify: async () => ({ isValid: true }),
    settle: async ({ paymentPayload }) => {
      settled.push(paymentPayload.payload.authorization.nonce)
      return { success: true, transaction: `0x${'5e'.repeat(32)}` }
    },
    used: async ({ nonce }) => settled.includes(nonce),
    ...change,
  }
  return { facilitator, settled }
}

export const gateOf = (
  facilitator: Facilitator,
  ledger: Ledger = memoryLedger(),
  context: Context = testContext(),
  reservations = createLocalReservations(Date.now),
) => createPaymentGate({ context, receiver: RECEIVER, facilitator, reservations, ledger })
