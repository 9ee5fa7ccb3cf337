/**
 * What nobody waits for any more: attempts whose process died, settlements without an outcome, payments that no final block
 * has confirmed, and payments that were charged and never answered.
 */
import type { Context } from '../../platform/context/context.ts'
import { messageOf } from '../../platform/errors.ts'
import { type Confirmed, createConfirm, UNDER_WAY_MS } from './confirm.ts'
import { BEGINNING, type Ledger, type Payment, pagesOf } from './ledger.ts'
import type { Settlement } from './settlement.ts'
import { AFTER_ANSWER, LEASE_MS, PATIENCE_MS, type PaymentState } from './states.ts'

/** How long a payer has to fetch an answer before an operator is told that he was charged without one, ms. */
export const UNANSWERED_MS = 600_000
const AT_ONCE = 16
const NOT_ANSWERED = Object.keys(AFTER_ANSWER) as PaymentState[]

/** What a pass found and left. */
export type Outlook = {
  /** Attempts that got an outcome in this pass. */
  decided: number
  /** Attempts that a facilitator was asked about and that have no outcome yet. */
  open: number
  /** Attempts that were charged more than ten minutes ago, and whose answer was never handed over. */
  unanswered: number
} & Confirmed

/** Where attempts are, and who can find out about them. */
export type ReconcileOptions = {
  context: Pick<Context, 'log' | 'metrics' | 'clock'>
  ledger: Pick<Ledger, 'inState'>
  settlement: Pick<Settlement, 'conclude' | 'confirm' | 'record' | 'rewrite'>
}

/** One pass. Every replica may run it: what two find out about one attempt is the same. */
export const createReconcile = ({ context, ledger, settlement }: ReconcileOptions): (() => Promise<Outlook>) => {
  const { log, clock, metrics } = context
  const outcomes = metrics.counter('assay_payments_total', 'Payments by outcome', ['outcome'])
  const openGauge = metrics.gauge('assay_payments_open', 'Payments without a known outcome for more than 90 seconds')
  const unansweredGauge = metrics.gauge(
    'assay_payments_unanswered',
    'Payments charged more than ten minutes ago whose answer was never handed over',
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
    for (let from = 0; from < payments.length; from += AT_ONCE) {
      const some = payments.slice(from, from + AT_ONCE)
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

  /** Whether there is anything to look through: mostly there is not, and one statement tells. */
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
