/**
 * Payments that count as paid, held against the final blocks of the chain: a facilitator may be wrong, or lie, and a block
 * may be replaced. Oldest first, and no further than the chain is final, so that each payment is mostly asked about once.
 */
import type { Context } from '../../platform/context/context.ts'
import { BEGINNING, type Ledger, type Payment, type Position, pagesOf } from './ledger.ts'
import type { Confirmation, Settlement } from './settlement.ts'
import { AFTER_FINAL, type PaymentState } from './states.ts'

/** How long a payment may wait for a final block before an operator is told, ms. Base takes about 20 minutes. */
const UNCONFIRMED_MS = 3_600_000
/** How long an operator is told of a dispute, ms. */
const DISPUTED_MS = 86_400_000
/** No block is final sooner, and the answer is mostly handed over by then, ms. */
export const UNDER_WAY_MS = 60_000
const AT_ONCE = 16
/** Payments that are counted at most. */
const MOST_COUNTED = 1_000

/** What a pass found. */
export type Confirmed = {
  /** Payments that count as paid for more than an hour without a final block that says so; `undefined` without a node. */
  unconfirmed: number | undefined
  /** Payments of the last day that were called settled and were not. */
  disputed: number
}

type ConfirmOptions = {
  context: Pick<Context, 'log' | 'metrics' | 'clock'>
  ledger: Pick<Ledger, 'inState'>
  settlement: Pick<Settlement, 'confirm'>
}

const WAITING = Object.keys(AFTER_FINAL) as PaymentState[]

/** Holds payments against final blocks. */
export type Confirm = {
  /** Looks through the payments that wait for a final block. */
  pass: () => Promise<Confirmed>
  /** States it has something to do with: none of those that wait where there is no chain to ask. */
  states: () => readonly PaymentState[]
  /** What a pass over no payments finds. */
  nothing: () => Confirmed
}

/** A pass asks the chain about some payments at a time, those first that wait longest. */
export const createConfirm = ({ context, ledger, settlement }: ConfirmOptions): Confirm => {
  const { log, clock, metrics } = context
  const outcomes = metrics.counter('assay_payments_total', 'Payments by outcome', ['outcome'])
  const unconfirmedGauge = metrics.gauge(
    'assay_payments_unconfirmed',
    'Payments called settled for more than an hour that no final block has. Not a number where no node is configured',
  )
  const disputedGauge = metrics.gauge(
    'assay_payments_disputed',
    'Payments of the last day that were called settled, and the chain shows that the money did not move',
  )
  let hasChain = true
  let after: Position = BEGINNING

  const confirmOne = async (payment: Payment): Promise<Confirmation | undefined> => {
    const said = await settlement.confirm(payment)
    if (said === 'confirmed' || said === 'disputed') outcomes.inc({ outcome: said })
    if (said === 'disputed') {
      const { key, payer, transaction, request_id: requestId } = payment
      log.error({ payment: key, payer, transaction, requestId }, 'a payment that was called settled did not move money')
    }
    return said
  }

  /** Goes on where the chain stopped answering the last time, so that a few payments it never answers hold up no others. */
  const confirmAll = async (): Promise<void> => {
    for await (const page of pagesOf(ledger, WAITING, clock.now() - UNDER_WAY_MS, after)) {
      for (let from = 0; from < page.length; from += AT_ONCE) {
        const some = page.slice(from, from + AT_ONCE)
        const said = await Promise.all(some.map(confirmOne))
        hasChain = !said.includes(undefined)
        if (!hasChain) return
        after = some.at(-1) ?? BEGINNING
        if (said.every((one) => one === 'away')) return
        if (said.includes('early')) {
          after = BEGINNING
          return
        }
      }
    }
    after = BEGINNING
  }

  const count = async (states: readonly PaymentState[], before: number, since: number): Promise<number> =>
    (await ledger.inState(states, before, { ...BEGINNING, moved: since }, MOST_COUNTED)).length

  const shown = (found: Confirmed): Confirmed => {
    unconfirmedGauge.set(found.unconfirmed ?? Number.NaN)
    disputedGauge.set(found.disputed)
    return found
  }

  return {
    pass: async () => {
      if (hasChain) await confirmAll()
      const now = clock.now()
      return shown({
        unconfirmed: hasChain ? await count(WAITING, now - UNCONFIRMED_MS, 0) : undefined,
        disputed: hasChain ? await count(['disputed'], now + 1, now - DISPUTED_MS) : 0,
      })
    },
    states: () => (hasChain ? [...WAITING, 'disputed'] : []),
    nothing: () => shown({ unconfirmed: hasChain ? 0 : undefined, disputed: 0 }),
  }
}
