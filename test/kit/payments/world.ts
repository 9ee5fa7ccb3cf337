/** Models of the surroundings of a payment: the chain, a facilitator that fails and lies, and the store of the ledger. */
import type { Claim, Facilitator, Receipt } from '../../../api/x402/chain/facilitator.ts'
import type { Fate } from '../../../api/x402/chain/fate.ts'
import type { Ledger, Payment } from '../../../api/x402/ledger.ts'
import { isOpen, isPaid, STATES } from '../../../api/x402/states.ts'
import { RetryableError } from '../../../platform/errors.ts'
import type { Process, Schedule } from './schedule.ts'

/** An authorization as the chain sees it. */
export type Signed = {
  nonce: string
  from: string
  signature: string
  /** Unix seconds. */
  validBefore: number
}

export type World = {
  random: () => number
  schedule: Schedule
  /** Milliseconds since the epoch. */
  now: number
  /** Share of calls that fail. */
  faults: number
  /** Whether operators configured a node for looking up payments. */
  hasChain: boolean
  /** By nonce: state in the token. */
  used: Map<string, 'paid' | 'spent'>
  /** By nonce: time of that state, ms. */
  usedAt: Map<string, number>
  /** Nonces reported as paid when they were not, or in a block that was replaced. */
  deceived: Set<string>
  /** Nonces that the ledger counted as paid at some time. */
  counted: Set<string>
  /** Nonces whose payment an operator recorded as refunded. */
  refunded: Set<string>
  /** Nonces whose payer has no money. */
  poor: Set<string>
  signed: Map<string, Signed>
  /** Transactions that were sent and not mined, by nonce. */
  mempool: string[]
  /** Nonces with a settlement request to a facilitator. */
  asked: Set<string>
  /** Nonces whose transaction was mined after their authorization had ended. */
  reverted: Set<string>
  rows: Map<string, Payment>
  /** Violations observed. */
  problems: string[]
}

const AWAY = new RetryableError('ASSAY_STORE_UNAVAILABLE', 'away')

/** Reason why the token refuses the transfer, if it does. */
const refusalReason = (
  world: World,
  { nonce, signature }: { nonce: string; signature: string },
): string | undefined => {
  const signed = world.signed.get(nonce)
  if (!signed || signature !== signed.signature) return 'invalid_exact_evm_signature'
  if (world.used.has(nonce)) return 'invalid_exact_evm_nonce_already_used'
  if (world.now / 1_000 >= signed.validBefore) return 'invalid_exact_evm_payload_authorization_valid_before'
  return world.poor.has(nonce) ? 'insufficient_funds' : undefined
}

/** Time from a block's creation until it is final, ms. */
const FINAL_MS = 200_000

const end = (world: World, nonce: string, how: 'paid' | 'spent'): void => {
  world.used.set(nonce, how)
  world.usedAt.set(nonce, world.now)
}

const isFinal = (world: World, nonce: string): boolean => world.now - (world.usedAt.get(nonce) ?? 0) >= FINAL_MS

/** Transfers the money of an authorization if the token allows it. */
export const transfer = (world: World, nonce: string): void => {
  const signed = world.signed.get(nonce)
  if (signed && !refusalReason(world, signed)) end(world, nonce, 'paid')
  else if (world.used.get(nonce) === 'spent') world.reverted.add(nonce)
}

/** Ends an authorization without paying us, as its payer may at any time. */
export const cancel = (world: World, nonce: string): void => {
  if (!world.used.has(nonce)) end(world, nonce, 'spent')
}

/**
 * Replaces the block that transferred the money or ended the authorization, unless it is final. Its transaction may or may not be
 * mined again. A settlement that failed because the authorization had ended succeeds then.
 */
export const replace = (world: World, nonce: string): void => {
  const how = world.used.get(nonce)
  if (how === undefined || isFinal(world, nonce)) return
  world.used.delete(nonce)
  if (how === 'paid') {
    world.deceived.add(nonce)
    if (world.random() < 0.5) world.mempool.push(nonce)
  } else if (world.reverted.has(nonce)) transfer(world, nonce)
}

const failing = (world: World): boolean => world.random() < world.faults

const settled = (world: World, claim: Claim): Receipt => {
  const { signature, authorization } = claim.paymentPayload.payload
  const { nonce } = authorization
  const refused = (errorReason: string): Receipt => ({ success: false, transaction: '', errorReason })
  const reason = refusalReason(world, { nonce, signature })
  if (reason) return refused(reason)
  world.asked.add(nonce)
  if (!failing(world)) {
    transfer(world, nonce)
    return { success: true, transaction: `0x${nonce}` }
  }
  const fault = Math.floor(world.random() * 7)
  if (fault === 0) throw AWAY
  if (fault === 1) {
    transfer(world, nonce)
    throw AWAY
  }
  if (fault === 2) return refused('insufficient_funds')
  if (fault === 6) {
    world.deceived.add(nonce)
    if (world.random() < 0.5) world.mempool.push(nonce)
    return { success: true, transaction: '0x' }
  }
  world.mempool.push(nonce)
  if (fault === 3) throw AWAY
  // Without a node to ask, nobody can detect a false refusal.
  return refused(fault === 4 && world.hasChain ? 'unexpected_settle_error' : 'settlement_pending')
}

export const facilitatorOf = (world: World, by: Process): Facilitator => ({
  verify: (claim) =>
    world.schedule.call(by, () => {
      if (failing(world)) throw AWAY
      const { signature, authorization } = claim.paymentPayload.payload
      const invalidReason = refusalReason(world, { nonce: authorization.nonce, signature })
      return invalidReason ? { isValid: false, invalidReason } : { isValid: true }
    }),
  settle: (claim) => world.schedule.call(by, () => settled(world, claim)),
  fate: ({ nonce }, sight) =>
    world.schedule.call(by, (): Fate | undefined => {
      if (!world.hasChain) return undefined
      if (failing(world)) throw AWAY
      const isSeen = sight === 'latest' || isFinal(world, nonce)
      const used = isSeen ? world.used.get(nonce) : undefined
      if (used === 'paid') return { at: 'paid', transaction: `0x${nonce}` }
      if (used === 'spent') return { at: 'spent' }
      return { at: 'unused', blockTime: Math.floor((world.now - (sight === 'latest' ? 0 : FINAL_MS)) / 1_000) }
    }),
})

/** A ledger whose writes may be lost, or arrive without an acknowledgement. */
export const ledgerOf = (world: World, by: Process): Ledger => {
  const { rows, schedule } = world
  return {
    find: (key) =>
      schedule.call(by, () => {
        if (failing(world)) throw AWAY
        return [...rows.values()].filter((row) => row.key === key)
      }),
    write: (payment) =>
      schedule.call(by, () => {
        const fails = failing(world)
        if (fails && world.random() < 0.5) throw AWAY
        const name = `${payment.key}:${payment.attempt}`
        const before = rows.get(name)
        if (!before || STATES[payment.state].rank >= STATES[before.state].rank) rows.set(name, payment)
        if (isPaid(payment.state)) world.counted.add(payment.nonce)
        if (payment.state === 'refunded') world.refunded.add(payment.nonce)
        else if (rows.get(name)?.state !== 'refunded' && before?.state === 'refunded') {
          world.problems.push('a refund was taken back')
        }
        const asked = [...rows.values()].filter(
          ({ key, state }) => key === payment.key && (isOpen(state) || isPaid(state)),
        )
        if (asked.length > 1) world.problems.push('two attempts with one authorization were settled at a time')
        if (fails) throw AWAY
      }),
    inState: (states, before, after) =>
      schedule.call(by, () => {
        if (failing(world)) throw AWAY
        return [...rows.values()]
          .filter(({ state, moved }) => states.includes(state) && moved < before && moved >= after.moved)
          .sort((a, b) => a.moved - b.moved)
      }),
  }
}
