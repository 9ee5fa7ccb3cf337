/** What scoring a wallet results in. `WalletRecord` is the same at rest, `CachedRecord` (api) the same in memory. */
import type { Network } from '../../schema/networks.ts'
import type { WalletStatus } from '../../schema/records/common.ts'
import type { Explanation } from '../../schema/records/explained/explanations.ts'

/** Why a verdict is what it is. `contribution` is in log-odds, and `null` for what forces the verdict. */
export type Reason = Explanation['reasons'][number]

/** A finished verdict on a wallet. Times in milliseconds since the epoch. */
export type Verdict = {
  network: Network
  /** Canonical. */
  address: string
  /** False when no table has a row about the address and no list names it; everything else is then empty. */
  seen: boolean
  status: WalletStatus
  /** 0 to 1. */
  probability: number
  /** JSON text of the fraud record without walletAddress, checked_times and updatedAt; empty when not seen. */
  body: string
  reasons: Reason[]
  /** What could not be evaluated, `what: why`. */
  unknowns: string[]
  modelVersion: string
  dataHeight: number
  /** As what its money counts for those who receive it, by flags of its own (scoring/offence.ts); empty for nothing. */
  offence: string
  /** Transfers between it and the nearest offence its money came from; 0 where none was found. */
  offenceHops: number
  /** Whether either differs from the record before, so that those it paid have to be scored again. */
  spreads: boolean
  /** Rises with every computation of the wallet's record; 0 where there is none and nothing is seen. */
  version: number
  /**
   * Whether status, flags or the probability to two decimals differ from the record before, if there was one. Where nothing is
   * seen any more: whether the record before shows something.
   */
  changed: boolean
  createdAt: number
  computedAt: number
}
