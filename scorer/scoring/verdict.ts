/** The result of scoring a wallet. `WalletRecord` is its stored form, `CachedRecord` (api) its form in memory. */
import type { Network } from '../../schema/networks.ts'
import type { WalletStatus } from '../../schema/records/common.ts'
import type { Explanation } from '../../schema/records/explained/explanations.ts'

/** A reason of a verdict. `contribution` is in log-odds, or `null` if the reason forces the verdict. */
export type Reason = Explanation['reasons'][number]

/** A finished verdict on a wallet. Times in milliseconds since the epoch. */
export type Verdict = {
  network: Network
  /** Canonical. */
  address: string
  /** False if no table has a row about the address and no list names it. Everything else is then empty. */
  seen: boolean
  status: WalletStatus
  /** 0 to 1. */
  probability: number
  /** JSON text of the fraud record without walletAddress, checked_times and updatedAt; empty when not seen. */
  body: string
  reasons: Reason[]
  /** What could not be evaluated, as `what: why`. */
  unknowns: string[]
  modelVersion: string
  dataHeight: number
  /** Category that its funds have for receivers, from its own flags (scoring/offence.ts); empty for none. */
  offence: string
  /** Transfers from the nearest offence that its funds come from; 0 for none. */
  offenceHops: number
  /** Whether `offence` or `offenceHops` changed, so that the wallets it paid must be scored again. */
  affectsReceivers: boolean
  /** Increases with every computation of the record; 0 if there is neither a record nor data. */
  version: number
  /**
   * Whether status, flags or the probability to two decimals differ from the previous record. If nothing is seen any more: whether
   * the previous record had content.
   */
  changed: boolean
  createdAt: number
  computedAt: number
}
