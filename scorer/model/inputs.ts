/** What the scorecard reads, from what was loaded. Unknown is `null`, never zero; dust changes nothing. */

import { isContract, transactionCount } from '../features/wallet.ts'
import { victimsTogether } from '../flags/detectors/drains.ts'
import type { ModelInput } from './model.ts'

const DAY_S = 86_400
/** Value shares below this are dust. */
const DUST = 0.01
/** Ratios over fewer events than this are not known. */
const FEW = 10

const ratio = (part: number, whole: number, least = FEW): number | null => (whole >= least ? part / whole : null)
const share = (part: number, whole: number): number => {
  const value = whole > 0 ? Math.min(1, part / whole) : 0
  return value < DUST ? 0 : value
}

const exposure = ({ wallet }: ModelInput) => {
  const { contacts, features } = wallet
  if (contacts === null) return { flagged_in: null, flagged_out: null, funder_flagged: null }
  const taken = contacts.reduce((sum, contact) => sum + contact.native_in, 0)
  const given = contacts.reduce((sum, contact) => sum + (contact.own > 0 ? contact.native_out : 0), 0)
  return {
    flagged_in: share(taken, features.native_in),
    flagged_out: share(given, features.native_out),
    funder_flagged: contacts.some((contact) => contact.counterparty === features.funder) ? 1 : 0,
  }
}

export const INPUTS = {
  age_days: ({ wallet, now }: ModelInput) =>
    wallet.features.first_seen === null ? null : Math.max(0, now - wallet.features.first_seen) / DAY_S,
  active_days: ({ wallet }: ModelInput) => wallet.features.active_days,
  transactions: ({ wallet }: ModelInput) => transactionCount(wallet.features),
  counterparties: ({ wallet }: ModelInput) => wallet.features.out_counterparties,
  passed_through: ({ wallet }: ModelInput) =>
    wallet.features.native_in_count + wallet.features.native_out_count >= FEW ? wallet.rhythm.passed_through : null,
  failed_ratio: ({ wallet }: ModelInput) => ratio(wallet.features.sent_failed, wallet.features.sent),
  creation_ratio: ({ wallet }: ModelInput) => ratio(wallet.features.contracts_created, wallet.features.sent),
  mixer_share: ({ wallet }: ModelInput) =>
    wallet.evidence.mixing === undefined || wallet.evidence.mixing.own === 0 ? 0 : wallet.evidence.mixing.share,
  account_approvers: ({ wallet }: ModelInput) =>
    isContract(wallet.features) || wallet.service ? 0 : wallet.features.approvers,
  drain_victims: ({ wallet }: ModelInput) => (wallet.service ? 0 : victimsTogether(wallet.evidence.drains ?? [])),
  creator_removed_liquidity: ({ wallet: { features } }: ModelInput) =>
    features.contracts_created > 0 && features.lp_adds > 0 ? Math.min(1, features.lp_removes / features.lp_adds) : 0,
  flagged_in: (input: ModelInput) => exposure(input).flagged_in,
  flagged_out: (input: ModelInput) => exposure(input).flagged_out,
  funder_flagged: (input: ModelInput) => exposure(input).funder_flagged,
} as const satisfies Record<string, (input: ModelInput) => number | null>

export type InputName = keyof typeof INPUTS
