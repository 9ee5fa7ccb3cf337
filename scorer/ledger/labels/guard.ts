/**
 * Identifies public infrastructure. Its contacts mean nothing, so only authorities flag it. It is known by the registry, by a `service` or
 * `benign` label, or by its numbers. Numbers can be bought, so lists can still flag addresses that are known by numbers alone.
 */
import type { Network } from '../../../schema/networks.ts'
import { infrastructureOf } from '../../../schema/registry/infrastructure.ts'
import type { WalletFeatures } from '../features/wallet.ts'
import type { Known } from './known.ts'
import { GUARD_CONFIDENCE, GUARDS } from './vocabulary.ts'

/** A contract that more accounts than this called is popular. */
export const POPULAR_USERS = 1_000
/** An account with more distinct counterparties than this is a service, counting only more than dust and tokens they signed for, */
export const SERVICE_COUNTERPARTIES = 10_000
/** if at least this share of them dealt in the other direction: sending dust to ten thousand strangers makes no exchange. */
const BOTH_WAYS = 0.1

/** Numbers that identify infrastructure. `created` is above 0 for contracts. */
export type Numbers = Pick<WalletFeatures, 'created' | 'received_from' | 'in_partners' | 'out_partners'>

/** Whether the numbers alone identify public infrastructure. */
export const isPopular = (features: Numbers): boolean => {
  if (features.created > 0) return features.received_from > POPULAR_USERS
  const { in_partners, out_partners } = features
  const all = in_partners + out_partners
  return all > SERVICE_COUNTERPARTIES && Math.min(in_partners, out_partners) >= all * BOTH_WAYS
}

/** `named` by the registry or a label, `popular` by numbers alone. */
export type Guard = 'named' | 'popular' | 'none'

/** Classifies an address. A name takes precedence: only authorities flag `named` addresses. */
export const guardOf = (network: Network, address: string, known: Known, features: WalletFeatures): Guard => {
  const named =
    infrastructureOf(network).has(address) ||
    known.labels.some(({ label, confidence }) => GUARDS.includes(label) && confidence >= GUARD_CONFIDENCE)
  return named ? 'named' : isPopular(features) ? 'popular' : 'none'
}
