/** Payments that were charged and never answered: what to send back, and proof that it was sent. Nothing here sends money. */
import { createPublicClient, encodeFunctionData, type Hex, http, parseAbi, parseEventLogs } from 'viem'
import { OperatorError } from '../../platform/errors.ts'
import { type Ledger, moved, type Payment, pagesOf } from './ledger.ts'
import { type PaymentState, STATES } from './states.ts'

const ABI = parseAbi([
  'function transfer(address to, uint256 value) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** A transaction that gives one payment back. */
export type Refund = {
  payment: Payment
  /** Account to send from: the one that was paid. */
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
 * What gives back each payment that was charged before `before` (ms) and never answered. Only those that a final block has:
 * what a facilitator merely called settled may never have reached the receiver.
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

/** How many transfers of a payment's amount from its receiver back to its payer a transaction made. */
export type RefundLookup = (payment: Payment, transaction: string) => Promise<number>

/** Finds the transfer in a transaction's receipt. It does not wait for final blocks. */
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
 * Records that a payment was given back by a transaction, which the chain has to confirm.
 * @throws OperatorError ASSAY_PAYMENT_REFUND when the payment was not charged, or the transaction does not give it back.
 */
export const recordRefund = async (
  ledger: Ledger,
  lookUp: RefundLookup,
  { key, transaction, now }: { key: string; transaction: string; now: number },
): Promise<Payment> => {
  const attempts = await ledger.find(key)
  const payment = attempts.find(({ state }) => STATES[state].moves.includes('refunded'))
  if (!payment) {
    throw refusal(`There is no charged payment ${key} that was not refunded yet. List them with assay payments list.`)
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
