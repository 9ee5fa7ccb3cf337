/**
 * Who is public infrastructure. Contacts of such an address say nothing about it, so only authorities flag it. Known by
 * the registry, by a `service` or `benign` label, or by its numbers; numbers can be bought, so addresses known by them
 * alone are still flagged by lists that name them.
 */
import type { Network } from '../../../schema/networks.ts'
import { infrastructureOf } from '../../../schema/registry/infrastructure.ts'
import type { WalletFeatures } from '../features/wallet.ts'
import type { Known } from './known.ts'
import { GUARD_CONFIDENCE, GUARDS } from './vocabulary.ts'

/** Contracts that more than this many accounts called themselves are popular. */
export const POPULAR_USERS = 1_000
/** Accounts are services above this many distinct counterparties, who dealt in more than dust and in tokens they signed for, */
export const SERVICE_COUNTERPARTIES = 10_000
/** a tenth of whom at least dealt in the other direction: sending dust to ten thousand strangers makes nobody an exchange. */
const BOTH_WAYS = 0.1

/** What tells infrastructure by its numbers: `created` is above 0 for contracts. */
export type Numbers = Pick<WalletFeatures, 'created' | 'received_from' | 'in_partners' | 'out_partners'>

/** Whether the numbers alone say public infrastructure. */
export const isPopular = (features: Numbers): boolean => {
  if (features.created > 0) return features.received_from > POPULAR_USERS
  const { in_partners, out_partners } = features
  const all = in_partners + out_partners
  return all > SERVICE_COUNTERPARTIES && Math.min(in_partners, out_partners) >= all * BOTH_WAYS
}

/** `named` by the registry or by a label, `popular` by numbers alone. */
export type Guard = 'named' | 'popular' | 'none'

/** Tells public infrastructure from others. A name outweighs numbers: who is `named` is flagged by authorities only. */
export const guardOf = (network: Network, address: string, known: Known, features: WalletFeatures): Guard => {
  const named =
    infrastructureOf(network).has(address) ||
    known.labels.some(({ label, confidence }) => GUARDS.includes(label) && confidence >= GUARD_CONFIDENCE)
  return named ? 'named' : isPopular(features) ? 'popular' : 'none'
}
