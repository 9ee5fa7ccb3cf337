/** Getting a payment settled, and finding out what became of one. The states and moves are in `states.ts`. */
import type { Context } from '../../platform/context/context.ts'
import { messageOf } from '../../platform/errors.ts'
import type { Claim, Facilitator } from './chain/facilitator.ts'
import type { Fate, Sight } from './chain/fate.ts'
import { type Ledger, moved, type Payment } from './ledger.ts'
import { AFTER_FINAL, holderOf, isOpen, isPaid, PATIENCE_MS, type PaymentState } from './states.ts'

/** The facilitator has sent a transaction and has not seen its end. A code of the protocol's engine. */
export const PENDING = 'settlement_pending'
/** Nobody told us how a settlement ended. */
export const LOST = 'settlement_lost'
const EXPIRED = 'invalid_exact_evm_payload_authorization_valid_before'
/** Reason of the protocol for an authorization that was used before. */
export const ALREADY_USED = 'invalid_exact_evm_nonce_already_used'

/** The chain may replace its last blocks, and a node may be behind our clock: an end is final so much later, s. */
const FINAL_AFTER_S = 120

/** Reasons are served as codes, in headers too; whatever else a facilitator says is not repeated. */
export const codeOf = (reason: string, otherwise = 'unexpected_settle_error'): string =>
  /^[a-z0-9_]{3,80}$/.test(reason) && reason !== LOST ? reason : otherwise

/** Whether the payment may be on its way although no receipt says so. */
export const isUncertain = ({ state, reason }: Payment): boolean =>
  state === 'settling' || (state === 'pending' && (reason === PENDING || reason === LOST))

/** What is known of a charge. */
export type Charged =
  | { outcome: 'settled'; payment: Payment }
  /** Not charged. `reason` is a code of the protocol. */
  | { outcome: 'refused'; reason: string }
  | { outcome: 'pending' }

/** What final blocks say of a payment that counts as paid. */
export type Confirmation =
  | 'confirmed'
  | 'disputed'
  /** The final blocks do not have it, and it can still come. */
  | 'open'
  /** The last final block is older than the settlement. */
  | 'early'
  /** The chain did not answer. */
  | 'away'

/** Settles attempts, and finds out what became of them. */
export type Settlement = {
  /** Asks the facilitator to settle an attempt in state `settling`, and writes down what came of it. Never throws. */
  charge: (payment: Payment, claim: Claim) => Promise<Charged>
  /** What the chain and the clock say of an attempt that is open, written down. `pending` is not decided yet. */
  conclude: (payment: Payment) => Promise<Charged>
  /** Holds an attempt that counts as paid against the final blocks; `undefined` where there is no chain to ask. */
  confirm: (payment: Payment) => Promise<Confirmation | undefined>
  /** Writes a move. What cannot be written now is written by `rewrite`. Never throws. */
  record: (payment: Payment, state: PaymentState, change?: Partial<Payment>) => Promise<Payment>
  /** Writes again what could not be written. */
  rewrite: () => Promise<void>
}

/** Who settles, and where it is written down. */
export type SettlementOptions = {
  context: Pick<Context, 'log' | 'clock'>
  facilitator: Pick<Facilitator, 'settle' | 'fate'>
  ledger: Ledger
}

/** `undefined` where there is no chain to ask. */
type Known = Fate | { at: 'away' } | undefined
const AWAY = { at: 'away' } as const

/** What could not be written down is kept in memory and written with the next chance. */
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

  const fateOf = (payment: Payment, sight: Sight): Promise<Known> =>
    facilitator.fate(payment, sight).catch((error) => {
      log.warn({ payment: payment.key, error: messageOf(error) }, 'failed to look up an authorization')
      return AWAY
    })

  /** The money moved: for this attempt, or for another one with the same authorization. */
  const paid = async (payment: Payment, transaction: string): Promise<Charged> => {
    const attempts = await ledger.find(payment.key).catch((error) => {
      log.warn({ payment: payment.key, error: messageOf(error) }, 'failed to read the attempts of a payment')
      return undefined
    })
    const others = attempts?.filter(
      ({ attempt, state }) => attempt !== payment.attempt && (isOpen(state) || isPaid(state)),
    )
    const stirring = others?.some(({ state, moved }) => isOpen(state) && clock.now() - moved < PATIENCE_MS)
    if (!others || stirring) return { outcome: 'pending' }
    const holder = holderOf([payment, ...others], clock.now())
    if (holder?.attempt !== payment.attempt) {
      await record(payment, 'released', { reason: ALREADY_USED })
      return { outcome: 'refused', reason: ALREADY_USED }
    }
    return { outcome: 'settled', payment: await record(payment, 'settled', { transaction, reason: '' }) }
  }

  const decided = async (payment: Payment, fate: Known): Promise<Charged | undefined> => {
    if (fate?.at === 'paid') return paid(payment, fate.transaction)
    // The block that ended it may be replaced, and what was sent to settle it then arrives: no end before it is final.
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
      // What an earlier settlement sent may still arrive, whatever this one says.
      const told = fate?.at === 'away' ? undefined : receipt
      const reason = payment.reason || (told ? (told.errorReason ?? '') : LOST)
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
