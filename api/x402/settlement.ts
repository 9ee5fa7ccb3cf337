/** Settles payments and looks up their outcomes. `states.ts` has the states and moves. */
import type { Context } from '../../platform/context/context.ts'
import { messageOf } from '../../platform/errors.ts'
import type { Claim, Facilitator } from './chain/facilitator.ts'
import type { Fate, Visibility } from './chain/fate.ts'
import { type Ledger, moved, type Payment } from './ledger.ts'
import { AFTER_FINAL, holderOf, isOpen, isPaid, PATIENCE_MS, type PaymentState } from './states.ts'

/** The facilitator sent a transaction and does not know its outcome. A code of the x402 engine. */
export const PENDING = 'settlement_pending'
/** The facilitator did not report the outcome. */
export const LOST = 'settlement_lost'
const EXPIRED = 'invalid_exact_evm_payload_authorization_valid_before'
/** x402 reason for an authorization that was used before. */
export const ALREADY_USED = 'invalid_exact_evm_nonce_already_used'

/** Margin after expiry before an authorization counts as expired, s: the chain may replace its last blocks, and a node may lag. */
const FINAL_AFTER_S = 120

/** Sanitizes the reason of a facilitator: only codes are passed on to payers. */
export const codeOf = (reason: string, otherwise = 'unexpected_settle_error'): string =>
  /^[a-z0-9_]{3,80}$/.test(reason) && reason !== LOST ? reason : otherwise

/** Whether the payment may have been sent although there is no receipt. */
export const isUncertain = ({ state, reason }: Payment): boolean =>
  state === 'settling' || (state === 'pending' && (reason === PENDING || reason === LOST))

/** Outcome of a charge. */
export type Charged =
  | { outcome: 'settled'; payment: Payment }
  /** Not charged. `reason` is an x402 code. */
  | { outcome: 'refused'; reason: string }
  | { outcome: 'pending' }

/** Result of checking a paid payment against final blocks. */
export type Confirmation =
  | 'confirmed'
  | 'disputed'
  /** Not in a final block yet, but still possible. */
  | 'open'
  /** The newest final block is older than the settlement. */
  | 'early'
  /** The node did not answer. */
  | 'away'

/** Settles attempts and looks up their outcomes. */
export type Settlement = {
  /** Settles an attempt in state `settling` with the facilitator, and records the outcome. Never throws. */
  charge: (payment: Payment, claim: Claim) => Promise<Charged>
  /** Looks up the outcome of an open attempt and records it. `pending`: not decided yet. */
  conclude: (payment: Payment) => Promise<Charged>
  /** Checks a paid attempt against final blocks; `undefined` without a configured node. */
  confirm: (payment: Payment) => Promise<Confirmation | undefined>
  /** Writes a move. A failed write is repeated by `rewrite`. Never throws. */
  record: (payment: Payment, state: PaymentState, change?: Partial<Payment>) => Promise<Payment>
  /** Repeats failed writes. */
  rewrite: () => Promise<void>
}

/** Dependencies. */
export type SettlementOptions = {
  context: Pick<Context, 'log' | 'clock'>
  facilitator: Pick<Facilitator, 'settle' | 'fate'>
  ledger: Ledger
}

/** `undefined` without a configured node. */
type Known = Fate | { at: 'away' } | undefined
const AWAY = { at: 'away' } as const

/** Failed writes are kept in memory until `rewrite`. */
export const createSettlement = ({ context, facilitator, ledger }: SettlementOptions): Settlement => {
  const { log, clock } = context
  const unwritten = new Map<string, Payment>()

  const write = async (payment: Payment): Promise<void> => {
    const name = `${payment.key}:${payment.attempt}`
    try {
      await ledger.write(payment)
      unwritten.delete(name)
    } catch (error) {
      unwritten.set(name, payment)
      log.error({ payment: payment.key, state: payment.state, error: messageOf(error) }, 'failed to record a payment')
    }
  }
  const record: Settlement['record'] = async (payment, state, change) => {
    const next = moved(payment, state, clock.now(), change)
    await write(next)
    return next
  }

  const fateOf = (payment: Payment, blockTag: Visibility): Promise<Known> =>
    facilitator.fate(payment, blockTag).catch((error) => {
      log.warn({ payment: payment.key, error: messageOf(error) }, 'failed to look up an authorization')
      return AWAY
    })

  /** The money moved, for this attempt or another one with the same authorization. */
  const paid = async (payment: Payment, transaction: string): Promise<Charged> => {
    const attempts = await ledger.find(payment.key).catch((error) => {
      log.warn({ payment: payment.key, error: messageOf(error) }, 'failed to read the attempts of a payment')
      return undefined
    })
    const others = attempts?.filter(
      ({ attempt, state }) => attempt !== payment.attempt && (isOpen(state) || isPaid(state)),
    )
    const anyInProgress = others?.some(({ state, moved }) => isOpen(state) && clock.now() - moved < PATIENCE_MS)
    if (!others || anyInProgress) return { outcome: 'pending' }
    const holder = holderOf([payment, ...others], clock.now())
    if (holder?.attempt !== payment.attempt) {
      await record(payment, 'released', { reason: ALREADY_USED })
      return { outcome: 'refused', reason: ALREADY_USED }
    }
    return { outcome: 'settled', payment: await record(payment, 'settled', { transaction, reason: '' }) }
  }

  const decided = async (payment: Payment, fate: Known): Promise<Charged | undefined> => {
    if (fate?.at === 'paid') return paid(payment, fate.transaction)
    // The block that spent it may be replaced, and then our settlement may still succeed: wait for a final block.
    if (fate?.at === 'spent' && (await fateOf(payment, 'finalized'))?.at === 'spent') {
      await record(payment, 'released', { reason: ALREADY_USED })
      return { outcome: 'refused', reason: ALREADY_USED }
    }
    if (fate?.at === 'unused' && fate.blockTime >= payment.valid_before + FINAL_AFTER_S) {
      await record(payment, 'released', { reason: EXPIRED })
      return { outcome: 'refused', reason: EXPIRED }
    }
    return undefined
  }

  const confirm: Settlement['confirm'] = async (payment) => {
    const fate = await fateOf(payment, 'finalized')
    if (!fate || fate.at === 'away') return fate?.at
    if (fate.at === 'paid') {
      await record(payment, AFTER_FINAL[payment.state] ?? payment.state, { transaction: fate.transaction, reason: '' })
      return 'confirmed'
    }
    if (fate.at === 'unused' && fate.blockTime < payment.valid_before) {
      return fate.blockTime * 1_000 < payment.moved ? 'early' : 'open'
    }
    await record(payment, 'disputed', { reason: fate.at === 'spent' ? ALREADY_USED : EXPIRED })
    return 'disputed'
  }

  return {
    confirm,
    record,
    rewrite: async () => {
      for (const [name, payment] of [...unwritten]) {
        await ledger.write(payment)
        if (unwritten.get(name) === payment) unwritten.delete(name)
      }
    },
    charge: async (payment, claim) => {
      const receipt = await facilitator.settle(claim).catch((error) => {
        log.error({ payment: payment.key, error: messageOf(error) }, 'lost track of a settlement')
        return undefined
      })
      if (receipt?.success) {
        const { transaction } = receipt
        return { outcome: 'settled', payment: await record(payment, 'settled', { transaction, reason: '' }) }
      }
      const fate = await fateOf(payment, 'latest')
      const known = await decided(payment, fate)
      if (known) return known
      // The transaction of an earlier settlement may still succeed, so its reason stays.
      const conclusive = fate?.at === 'away' ? undefined : receipt
      const reason = payment.reason || (conclusive ? (conclusive.errorReason ?? '') : LOST)
      const open = await record(payment, 'pending', { reason, transaction: receipt?.transaction ?? '' })
      if (!isUncertain(open)) return { outcome: 'refused', reason: codeOf(reason) }
      log.warn({ payment: payment.key, transaction: open.transaction, reason }, 'a settlement is pending')
      return { outcome: 'pending' }
    },
    conclude: async (payment) => {
      const fate = await fateOf(payment, 'latest')
      const known = await decided(payment, fate)
      if (known) return known
      const expired = payment.valid_before + FINAL_AFTER_S < clock.now() / 1_000
      if (fate === undefined && expired) {
        const uncertain = isUncertain(payment)
        await record(payment, uncertain ? 'unknown' : 'released', { reason: payment.reason || LOST })
        if (!uncertain) return { outcome: 'refused', reason: EXPIRED }
      }
      return { outcome: 'pending' }
    },
  }
}
