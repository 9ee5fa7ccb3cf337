/** The data about one wallet that flags and the model judge. */
import type { Evidence, Subject } from '../detection/index.ts'
import type { Contact } from '../ledger/contacts.ts'
import type { FlaggedInflow } from '../ledger/exposure/inflow.ts'

/** The subject of detectors, their evidence, and further input of the model. */
export type Wallet = Subject & {
  /** Direct dealings with flagged addresses; `null` if there are too many counterparties to look at. */
  contacts: Contact[] | null
  /** Income that comes from flagged wallets. */
  inflow?: FlaggedInflow | undefined
  /** Public infrastructure, which no detector flags (scorer/ledger/labels/guard.ts). */
  service: boolean
  /** Public infrastructure by its numbers alone: lists that name it still count. */
  popular?: boolean
  evidence: Evidence
}
