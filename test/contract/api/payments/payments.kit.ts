/** Payments without a chain: a ledger in memory, and headers that are as valid as the facilitator at hand calls them. */
import { randomBytes } from 'node:crypto'
import type { Facilitator } from '../../../../api/x402/chain/facilitator.ts'
import type { Fate } from '../../../../api/x402/chain/fate.ts'
import { createPaymentGate } from '../../../../api/x402/gate.ts'
import type { Ledger, Payment } from '../../../../api/x402/ledger.ts'
import { createLocalReservations } from '../../../../api/x402/reservations.ts'
import { STATES } from '../../../../api/x402/states.ts'
import type { Context } from '../../../../platform/context/context.ts'
import { testContext } from '../kit.ts'

export const RECEIVER = `0x${'11'.repeat(20)}`

/** A settlement that was begun long ago. */
export const attemptOf = (name: string, change: Partial<Payment> = {}): Payment => ({
  key: name,
  attempt: name,
  state: 'settling',
  begun: 1_000,
  moved: 1_000,
  payer: '0x1',
  receiver: '0x4',
  nonce: '0x2',
  valid_before: 1_900_000_000,
  amount: '150000',
  asset: '0x3',
  network: 'eip155:8453',
  operation: 'fraud_check',
  fingerprint: 'f',
  proof: 'p',
  request_id: 'r',
  transaction: '',
  reason: '',
  answer: '{}',
  ...change,
})

/** Attempts by key and attempt. */
export const memoryLedger = (rows = new Map<string, Payment>()): Ledger => ({
  find: async (key) => [...rows.values()].filter((row) => row.key === key),
  write: async (payment) => {
    const name = `${payment.key}:${payment.attempt}`
    const before = rows.get(name)
    if (!before || STATES[payment.state].rank >= STATES[before.state].rank) rows.set(name, payment)
  },
  inState: async (states, before, after, limit) =>
    [...rows.values()]
      .filter(({ state, moved }) => states.includes(state) && moved < before && moved >= after.moved)
      .sort((a, b) => a.moved - b.moved)
      .slice(0, limit),
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

const TRANSACTION = `0x${'5e'.repeat(32)}`
/** What the chain says of an authorization that nobody used. */
export const unusedNow = (now = Date.now()): Fate => ({ at: 'unused', blockTime: Math.floor(now / 1_000) })

/** A facilitator that agrees, counting what it settled. */
export const agreeing = (change: Partial<Facilitator> = {}) => {
  const settled: string[] = []
  const facilitator: Facilitator = {
    verify: async () => ({ isValid: true }),
    settle: async ({ paymentPayload }) => {
      settled.push(paymentPayload.payload.authorization.nonce)
      return { success: true, transaction: TRANSACTION }
    },
    fate: async ({ nonce }) => (settled.includes(nonce) ? { at: 'paid', transaction: TRANSACTION } : unusedNow()),
    ...change,
  }
  return { facilitator, settled }
}

export const gateOf = (
  facilitator: Facilitator,
  ledger: Ledger = memoryLedger(),
  context: Context = testContext(),
  reservations = createLocalReservations(Date.now),
  receiver = RECEIVER,
) => createPaymentGate({ context, receiver, facilitator, reservations, ledger })
