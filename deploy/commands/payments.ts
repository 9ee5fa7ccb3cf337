/** `assay payments`: lists payments and plans refunds. It sends no refunds; an operator does. */
import { createLedger, type Ledger, type Payment } from '../../api/x402/ledger.ts'
import { createRefundLookup, listPayments, planRefunds, recordRefund } from '../../api/x402/refunds.ts'
import { type PaymentState, STATES } from '../../api/x402/states.ts'
import type { Config } from '../../platform/config/config.ts'
import { OperatorError } from '../../platform/errors.ts'
import { createContext } from '../process/process.ts'
import { openToolStore } from '../process/store-socket.ts'

const HOUR_MS = 3_600_000
const DECIMALS = 6

const withLedger = async (config: Config, work: (ledger: Ledger) => Promise<string>): Promise<void> => {
  const context = createContext({ ASSAY_LOG_LEVEL: 'warn' }, 'payments')
  try {
    const store = await openToolStore(context, config)
    process.stdout.write(`${await work(createLedger(store, context.clock.now))}\n`)
  } finally {
    await context.lifecycle.close()
  }
}

const dollars = (amount: string): string => (Number(amount) / 10 ** DECIMALS).toFixed(2)
const time = (ms: number): string => new Date(ms).toISOString()

const lineOf = ({ state, moved, amount, payer, operation, key }: Payment): string =>
  [state.padEnd(9), time(moved), `${dollars(amount)} USDC`, payer, operation.padEnd(14), key].join('  ')

/** Parses `--state`; without it, all states. @throws OperatorError ASSAY_PAYMENT_STATE */
const statesOf = (given: string | undefined): PaymentState[] => {
  const all = Object.keys(STATES) as PaymentState[]
  if (given === undefined) return all
  const state = all.find((name) => name === given)
  if (state) return [state]
  throw new OperatorError(
    'ASSAY_PAYMENT_STATE',
    `There is no payment state ${given}, so nothing was listed. Choose one of ${all.join(', ')}.`,
  )
}

/** `assay payments list`: payments by state, ordered by their last change of state. */
export const listPaymentsCommand = (
  config: Config,
  { state, json = false }: { state?: string; json?: boolean },
): Promise<void> => {
  const states = statesOf(state)
  return withLedger(config, async (ledger) => {
    const payments = await listPayments(ledger, states, Date.now() + 1)
    if (json) return JSON.stringify(payments)
    const lines = payments.map(lineOf)
    return lines.length > 0 ? lines.join('\n') : 'No payments found.'
  })
}

/** `assay payments show`: every attempt of a payment. */
export const showPaymentCommand = (config: Config, key: string): Promise<void> =>
  withLedger(config, async (ledger) => {
    const attempts = await ledger.find(key)
    if (attempts.length === 0) return `There is no payment ${key}. List them with: assay payments list`
    return attempts
      .map((attempt) =>
        Object.entries({ ...attempt, begun: time(attempt.begun), moved: time(attempt.moved) })
          .map(([name, value]) => `${name.padEnd(12)} ${value}`)
          .concat(`meaning      ${STATES[attempt.state].meaning}`)
          .join('\n'),
      )
      .join('\n\n')
  })

/**
 * `assay payments refund-plan`: transfers that would refund charged payments without a response after so many hours. It
 * sends nothing.
 */
export const refundPlanCommand = (config: Config, hours: number): Promise<void> =>
  withLedger(config, async (ledger) => {
    const before = Date.now() - hours * HOUR_MS
    const refunds = await planRefunds(ledger, before)
    const unknown = await listPayments(ledger, ['unknown', 'settled'], before)
    const lines = refunds.map(
      ({ payment, from, to, data }) =>
        `${lineOf(payment)}\n  from ${from}\n  to   ${to}\n  data ${data}\n  then assay payments refunded ${payment.key} --transaction HASH`,
    )
    const total = dollars(String(refunds.reduce((sum, { payment }) => sum + BigInt(payment.amount), 0n)))
    const rest =
      unknown.length > 0
        ? [
            `\nThese are not confirmed by a final block. Look them up on chain before you send refunds:`,
            ...unknown.map(lineOf),
          ]
        : []
    return refunds.length + unknown.length === 0
      ? `No payment charged more than ${hours} hours ago is without a response.`
      : [...lines, `\n${refunds.length} refunds, ${total} USDC. Nothing was sent.`, ...rest].join('\n')
  })

/**
 * `assay payments refunded`: records a refund once the chain confirms it.
 * @throws OperatorError ASSAY_PAYMENT_REFUND
 */
export const refundedCommand = (config: Config, key: string, transaction: string): Promise<void> => {
  const rpcUrl = config.ASSAY_X402_RPC_URL
  if (!rpcUrl) {
    throw new OperatorError(
      'ASSAY_PAYMENT_REFUND',
      'A refund is recorded only when the chain confirms it, and no node is configured. Nothing was recorded. Set ASSAY_X402_RPC_URL.',
    )
  }
  return withLedger(config, async (ledger) => {
    const { payer, amount } = await recordRefund(ledger, createRefundLookup(rpcUrl), {
      key,
      transaction,
      now: Date.now(),
    })
    return `${key} is refunded: ${dollars(amount)} USDC to ${payer}. Its response can no longer be fetched.`
  })
}
