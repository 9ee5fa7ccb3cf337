/** Everything loaded about one wallet: what flags and model judge. */
import type { Evidence, Subject } from '../detection/index.ts'
import type { Contact } from '../ledger/contacts.ts'
import type { FlaggedInflow } from '../ledger/exposure/inflow.ts'

/** The subject of detectors together with what they found, and what else the model weighs. */
export type Wallet = Subject & {
  /** Direct dealings with flagged addresses; `null` when not looked at. */
  contacts: Contact[] | null
  /** What of its income is money of flagged wallets, where any is. */
  inflow?: FlaggedInflow | undefined
  /** Public infrastructure, which no detector flags (scorer/ledger/labels/guard.ts). */
  service: boolean
  /** It is known as such by its numbers alone: lists that name it still count. */
  popular?: boolean
  evidence: Evidence
}
