/**
 * Cleans up after interrupted payments: attempts whose process died, settlements without outcome, unconfirmed payments, and charged
 * payments without an answer.
 */
import type { Context } from '../../platform/context/context.ts'
import { messageOf } from '../../platform/errors.ts'
import { type Confirmed, createConfirm, UNDER_WAY_MS } from './confirm.ts'
import { BEGINNING, type Ledger, type Payment, pagesOf } from './ledger.ts'
import type { Settlement } from './settlement.ts'
import { AFTER_ANSWER, LEASE_MS, PATIENCE_MS, type PaymentState } from './states.ts'

/** A charged payment without a sent answer for this long counts as unanswered, ms. */
export const UNANSWERED_MS = 600_000
const CONCURRENCY = 16
const NOT_ANSWERED = Object.keys(AFTER_ANSWER) as PaymentState[]

/** Result of a pass. */
export type Outlook = {
  /** Attempts decided in this pass. */
  decided: number
  /** Attempts sent to a facilitator and still without outcome. */
  open: number
  /** Attempts charged more than ten minutes ago whose answer was not sent. */
  unanswered: number
} & Confirmed

/** Dependencies. */
export type ReconcileOptions = {
  context: Pick<Context, 'log' | 'metrics' | 'clock'>
  ledger: Pick<Ledger, 'inState'>
  settlement: Pick<Settlement, 'conclude' | 'confirm' | 'record' | 'rewrite'>
}

/** Creates a pass. Replicas may run passes concurrently: they reach the same results. */
export const createReconcile = ({ context, ledger, settlement }: ReconcileOptions): (() => Promise<Outlook>) => {
  const { log, clock, metrics } = context
  const outcomes = metrics.counter('assay_payments_total', 'Payments by outcome', ['outcome'])
  const openGauge = metrics.gauge('assay_payments_open', 'Payments without a known outcome for more than 90 seconds')
  const unansweredGauge = metrics.gauge(
    'assay_payments_unanswered',
    'Payments charged more than ten minutes ago whose answer was not sent',
  )
  const reported = new Set<string>()
  const confirm = createConfirm({ context, ledger, settlement })

  const decide = async (payment: Payment): Promise<boolean> => {
    const { outcome } = await settlement.conclude(payment)
    if (outcome === 'pending') return false
    log.warn({ payment: payment.key, outcome }, 'reconciled an interrupted settlement')
    outcomes.inc({ outcome: `reconciled_${outcome}` })
    return true
  }

  const decideAll = async (payments: readonly Payment[]): Promise<number> => {
    let decided = 0
    for (let from = 0; from < payments.length; from += CONCURRENCY) {
      const some = payments.slice(from, from + CONCURRENCY)
      const answers = await Promise.allSettled(some.map(decide))
      for (const [index, answer] of answers.entries()) {
        if (answer.status === 'fulfilled') decided += Number(answer.value)
        else {
          log.warn(
            { payment: some[index]?.key, error: messageOf(answer.reason) },
            'failed to reconcile a settlement, retrying later',
          )
        }
      }
    }
    return decided
  }

  const countUnanswered = async (): Promise<number> => {
    const found = new Set<string>()
    for await (const page of pagesOf(ledger, NOT_ANSWERED, clock.now() - UNANSWERED_MS)) {
      for (const { key, payer, request_id: requestId } of page) {
        found.add(key)
        if (!reported.has(key)) {
          log.error({ payment: key, payer, requestId }, 'found a payment that was charged and never answered')
        }
      }
    }
    reported.clear()
    for (const key of found) reported.add(key)
    return found.size
  }

  /** Whether any payment needs work. Usually none does, and one statement is enough. */
  const isAnyOpen = async (): Promise<boolean> => {
    const before = clock.now() - Math.min(LEASE_MS, PATIENCE_MS, UNANSWERED_MS, UNDER_WAY_MS)
    const states = ['reserved', 'settling', 'pending', ...NOT_ANSWERED, ...confirm.states()] as const
    return (await ledger.inState([...new Set(states)], before, BEGINNING, 1)).length > 0
  }

  return async () => {
    await settlement.rewrite()
    if (!(await isAnyOpen())) {
      reported.clear()
      openGauge.set(0)
      unansweredGauge.set(0)
      return { decided: 0, open: 0, unanswered: 0, ...confirm.nothing() }
    }
    for await (const page of pagesOf(ledger, ['reserved'], clock.now() - LEASE_MS)) {
      await Promise.all(page.map((payment) => settlement.record(payment, 'released', { reason: 'interrupted' })))
    }
    let decided = 0
    let seen = 0
    for await (const page of pagesOf(ledger, ['settling', 'pending'], clock.now() - PATIENCE_MS)) {
      seen += page.length
      decided += await decideAll(page)
    }
    const unanswered = await countUnanswered()
    openGauge.set(seen - decided)
    unansweredGauge.set(unanswered)
    return { decided, open: seen - decided, unanswered, ...(await confirm.pass()) }
  }
}
