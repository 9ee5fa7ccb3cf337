/**
 * Confirms paid payments with final blocks: a facilitator may be wrong or lie, and a block may be replaced. Oldest first, up to the
 * time of the final block, so that most payments are looked up once.
 */
import type { Context } from '../../platform/context/context.ts'
import { BEGINNING, type Ledger, type Payment, type Position, pagesOf } from './ledger.ts'
import type { Confirmation, Settlement } from './settlement.ts'
import { AFTER_FINAL, type PaymentState } from './states.ts'

/** A payment without final block for this long counts as unconfirmed, ms. Finality on Base takes about 20 minutes. */
const UNCONFIRMED_MS = 3_600_000
/** How long a disputed payment is counted, ms. */
const DISPUTED_MS = 86_400_000
/** Younger payments are skipped, ms: no block is final sooner, and the answer is usually sent by then. */
export const UNDER_WAY_MS = 60_000
const CONCURRENCY = 16
/** Maximum number of counted payments. */
const MAX_COUNTED = 1_000

/** Result of a pass. */
export type Confirmed = {
  /** Payments that count as paid for more than an hour without a confirming final block; `undefined` without a node. */
  unconfirmed: number | undefined
  /** Payments of the last day that were reported as settled but were not. */
  disputed: number
}

type ConfirmOptions = {
  context: Pick<Context, 'log' | 'metrics' | 'clock'>
  ledger: Pick<Ledger, 'inState'>
  settlement: Pick<Settlement, 'confirm'>
}

const WAITING = Object.keys(AFTER_FINAL) as PaymentState[]

/** Confirms payments with final blocks. */
export type Confirm = {
  /** Checks the payments that wait for a final block. */
  pass: () => Promise<Confirmed>
  /** States of payments that a pass looks at. */
  states: () => readonly PaymentState[]
  /** The result of a pass without payments. */
  nothing: () => Confirmed
}

/** Checks several payments concurrently, oldest first. */
export const createConfirm = ({ context, ledger, settlement }: ConfirmOptions): Confirm => {
  const { log, clock, metrics } = context
  const outcomes = metrics.counter('assay_payments_total', 'Payments by outcome', ['outcome'])
  const unconfirmedGauge = metrics.gauge(
    'assay_payments_unconfirmed',
    'Payments settled more than an hour ago without a confirming final block; NaN without a configured node',
  )
  const disputedGauge = metrics.gauge(
    'assay_payments_disputed',
    'Payments of the last day that were reported as settled although the money did not move',
  )
  let hasChain = true
  let after: Position = BEGINNING

  const confirmOne = async (payment: Payment): Promise<Confirmation | undefined> => {
    const confirmation = await settlement.confirm(payment)
    if (confirmation === 'confirmed' || confirmation === 'disputed') outcomes.inc({ outcome: confirmation })
    if (confirmation === 'disputed') {
      const { key, payer, transaction, request_id: requestId } = payment
      log.error(
        { payment: key, payer, transaction, requestId },
        'a payment that was reported as settled did not move money',
      )
    }
    return confirmation
  }

  /** Continues where the chain last stopped answering, so that payments without an answer do not block the others. */
  const confirmAll = async (): Promise<void> => {
    for await (const page of pagesOf(ledger, WAITING, clock.now() - UNDER_WAY_MS, after)) {
      for (let from = 0; from < page.length; from += CONCURRENCY) {
        const some = page.slice(from, from + CONCURRENCY)
        const confirmations = await Promise.all(some.map(confirmOne))
        hasChain = !confirmations.includes(undefined)
        if (!hasChain) return
        after = some.at(-1) ?? BEGINNING
        if (confirmations.every((one) => one === 'away')) return
        if (confirmations.includes('early')) {
          after = BEGINNING
          return
        }
      }
    }
    after = BEGINNING
  }

  const count = async (states: readonly PaymentState[], before: number, since: number): Promise<number> =>
    (await ledger.inState(states, before, { ...BEGINNING, moved: since }, MAX_COUNTED)).length

  const report = (found: Confirmed): Confirmed => {
    unconfirmedGauge.set(found.unconfirmed ?? Number.NaN)
    disputedGauge.set(found.disputed)
    return found
  }

  return {
    pass: async () => {
      if (hasChain) await confirmAll()
      const now = clock.now()
      return report({
        unconfirmed: hasChain ? await count(WAITING, now - UNCONFIRMED_MS, 0) : undefined,
        disputed: hasChain ? await count(['disputed'], now + 1, now - DISPUTED_MS) : 0,
      })
    },
    states: () => (hasChain ? [...WAITING, 'disputed'] : []),
    nothing: () => report({ unconfirmed: hasChain ? 0 : undefined, disputed: 0 }),
  }
}
