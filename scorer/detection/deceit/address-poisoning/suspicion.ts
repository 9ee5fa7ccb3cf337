/** What is held against a suspect before it is known whose address it imitates, and the bounds of what is looked at. */
import { groupedBy } from '../../context.ts'

/**
 * Movements of dust, of nothing or pulled for each act of its own and each party it dealt with, at least; with busy wallets they are fewer:
 * our choice. Neither can be added to by naming the wallet in movements, which costs nothing.
 */
export const DUST_SHARE = 0.25
/** Movements of a suspect looked at, the oldest; whoever has more of them, and looks guilty of none, is not called clear. */
export const MAX_MOVES = 500

/** One transfer that put a look-alike beside the address it imitates. `amount` in base units, `time` in Unix seconds. */
export type PoisonPair = {
  mode: 'dust' | 'zero' | 'counterfeit'
  lookalike: string
  imitated: string
  victim: string
  asset: string
  amount: string
  transaction: string
  time: number
}

/** The part a wallet had in poisoning, and the transfers that show it. */
export type Poisoning = { role: 'lookalike' | 'sender' | 'supplier' | 'token-maker'; pairs: PoisonPair[] }

/** A transfer that may be poison: whom it would imitate is not known yet. */
export type Suspicion = { suspect: string; role: Poisoning['role'] } & Omit<PoisonPair, 'imitated'>
/** What was found, and of whom there was more than is looked at. */
export type Suspected = { suspicions: Suspicion[]; overlooked: string[] }
/** A transfer. `amount` in base units, `time` in Unix seconds. */
export type Sent = { asset: string; amount: string; tx_hash: string; time: number }
/** A suspicion with the address that is imitated. */
export type Found = { suspicion: Suspicion; pair: PoisonPair }
/** Addresses of which so many rows were read that there may be more. */
export const fullOf = (rows: readonly { address: string }[], limit: number): string[] =>
  [...groupedBy(rows, ({ address }) => address)].flatMap(([address, some]) => (some.length >= limit ? [address] : []))
