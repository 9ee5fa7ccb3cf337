/** Plans and records refunds of payments that were charged without an answer. Never sends money itself. */
import { createPublicClient, encodeFunctionData, type Hex, http, parseAbi, parseEventLogs } from 'viem'
import { OperatorError } from '../../platform/errors.ts'
import { type Ledger, moved, type Payment, pagesOf } from './ledger.ts'
import { type PaymentState, STATES } from './states.ts'

const ABI = parseAbi([
  'function transfer(address to, uint256 value) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** A transaction that refunds one payment. */
export type Refund = {
  payment: Payment
  /** Account to send from: the receiver of the payment. */
  from: string
  /** Token contract to call. */
  to: string
  data: Hex
}

const asHex = (text: string): Hex => `0x${text.replace(/^0x/, '')}`

/** Payments in some states since before `before` (ms), oldest first. */
export const listPayments = async (
  ledger: Ledger,
  states: readonly PaymentState[],
  before: number,
): Promise<Payment[]> => {
  const all: Payment[] = []
  for await (const page of pagesOf(ledger, states, before)) all.push(...page)
  return all
}

/**
 * Refunds for payments that were charged before `before` (ms) without an answer. Only payments confirmed by a final block: others
 * may not have reached the receiver.
 */
export const planRefunds = async (ledger: Ledger, before: number): Promise<Refund[]> =>
  (await listPayments(ledger, ['confirmed'], before)).map((payment) => ({
    payment,
    from: payment.receiver,
    to: payment.asset,
    data: encodeFunctionData({
      abi: ABI,
      functionName: 'transfer',
      args: [asHex(payment.payer), BigInt(payment.amount)],
    }),
  }))

/** Number of transfers of the payment's amount from its receiver back to its payer in a transaction. */
export type RefundLookup = (payment: Payment, transaction: string) => Promise<number>

/** Counts the transfers in the receipt of a transaction. Does not wait for finality. */
export const createRefundLookup = (rpcUrl: string): RefundLookup => {
  const client = createPublicClient({ transport: http(rpcUrl) })
  return async ({ asset, payer, receiver, amount }, transaction) => {
    const receipt = await client.getTransactionReceipt({ hash: asHex(transaction) }).catch(() => undefined)
    const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
    return parseEventLogs({ abi: ABI, eventName: 'Transfer', logs: receipt?.logs ?? [] }).filter(
      ({ address, args }) =>
        same(address, asset) && same(args.from, receiver) && same(args.to, payer) && args.value === BigInt(amount),
    ).length
  }
}

const refusal = (what: string) => new OperatorError('ASSAY_PAYMENT_REFUND', `${what} Nothing was recorded.`)

/**
 * Records a refund after checking its transaction on chain.
 * @throws OperatorError ASSAY_PAYMENT_REFUND if the payment was not charged, or the transaction does not refund it
 */
export const recordRefund = async (
  ledger: Ledger,
  lookUp: RefundLookup,
  { key, transaction, now }: { key: string; transaction: string; now: number },
): Promise<Payment> => {
  const attempts = await ledger.find(key)
  const payment = attempts.find(({ state }) => STATES[state].moves.includes('refunded'))
  if (!payment) {
    throw refusal(`There is no charged payment ${key} without a refund. List payments with assay payments list.`)
  }
  const reason = transaction.toLowerCase()
  const before = (await listPayments(ledger, ['refunded'], now + 1)).filter(
    (other) => other.reason === reason && other.payer === payment.payer,
  )
  if ((await lookUp(payment, transaction)) <= before.length) {
    throw refusal(
      `Transaction ${transaction} does not send ${payment.amount} base units from ${payment.receiver} to ${payment.payer}, or another refund names it. Check it in a block explorer.`,
    )
  }
  const refunded = moved(payment, 'refunded', now, { reason })
  await ledger.write(refunded)
  return refunded
}
