/** Suspicions of poisoning, before the imitated address is known, and limits of the search. */
import { groupedBy } from '../../context.ts'

/**
 * Minimum ratio of dust, zero and pulled movements to a wallet's own acts, and to its partners. Busy wallets have fewer. Neither can be
 * inflated by naming the wallet in movements, which costs nothing. Our choice.
 */
export const DUST_SHARE = 0.25
/** Oldest movements examined per suspect. A wallet with more and no finding is unknown rather than clear. */
export const MAX_MOVES = 500

/** One transfer that put a look-alike next to the address it imitates. `amount` in base units, `time` in Unix seconds. */
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

/** Role of a wallet in poisoning, and the transfers that show it. */
export type Poisoning = { role: 'lookalike' | 'sender' | 'supplier' | 'token-maker'; pairs: PoisonPair[] }

/** A transfer that may be poisoning; the imitated address is not known yet. */
export type Suspicion = { suspect: string; role: Poisoning['role'] } & Omit<PoisonPair, 'imitated'>
/** Suspicions, and addresses with more movements than are examined. */
export type Suspected = { suspicions: Suspicion[]; overlooked: string[] }
/** A transfer. `amount` in base units, `time` in Unix seconds. */
export type Sent = { asset: string; amount: string; tx_hash: string; time: number }
/** A suspicion with the imitated address. */
export type Found = { suspicion: Suspicion; pair: PoisonPair }
/** Addresses whose rows reached the limit, so that there may be more. */
export const fullOf = (rows: readonly { address: string }[], limit: number): string[] =>
  [...groupedBy(rows, ({ address }) => address)].flatMap(([address, some]) => (some.length >= limit ? [address] : []))
