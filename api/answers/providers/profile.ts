/** Profile records: read from the table, or computed on demand. */
import type { Store } from '../../../platform/store/store.ts'
import type { WalletRecord } from '../../../schema/records/stored.ts'
import { hasIncompleteLog } from '../../../scorer/ledger/authorities/coverage.ts'
import type { WalletProfile } from '../../../scorer/profile/assemble.ts'
import type { Profiles } from '../../../scorer/profile/profile.ts'
import { bodyOf, lookupProfiles, type ProfileOperation, saveProfiles } from '../../../scorer/profile/records.ts'
import type { QueueReceivers } from '../../../scorer/rescore/receivers.ts'
import { saveRecords } from '../../../scorer/scoring/stored.ts'
import { keyOf, type Provider, type Subject } from './provider.ts'

/** Dependencies of the profile providers. */
export type ProfileProviderDeps = {
  store: Store
  profiles: Profiles
  /** Publishes fraud records that were computed for a profile (topic `records`). */
  publish?: (records: readonly WalletRecord[]) => Promise<void>
  /** Queues the recipients of wallets whose verdict changed for rescoring. */
  spread?: QueueReceivers | undefined
}

/**
 * Providers of the three profile operations. Concurrent requests for one wallet share a computation. The fraud record of a
 * profile is stored too, so that check and audit never disagree.
 */
export const createProfileProviders = ({
  store,
  profiles,
  publish,
  spread,
}: ProfileProviderDeps): Record<ProfileOperation, Provider> => {
  const underWay = new Map<string, Promise<WalletProfile | undefined>>()

  const make = async ({ network, address }: Subject): Promise<WalletProfile | undefined> => {
    const [made] = await profiles.profile(network, [address])
    if (!made) return undefined
    const records = await saveRecords(store, [made.profile.scored])
    await saveProfiles(store, [made])
    await publish?.(records)
    await spread?.(network, [made.profile.scored])
    return made.profile
  }

  const shared = (subject: Subject): Promise<WalletProfile | undefined> => {
    const key = keyOf(subject)
    const known = underWay.get(key)
    if (known) return known
    const promise = make(subject).finally(() => underWay.delete(key))
    underWay.set(key, promise)
    return promise
  }

  const providerOf = (operation: ProfileOperation): Provider => ({
    lookup: (subjects, signal) => lookupProfiles(store, operation, subjects, signal),
    compute: async (subject, signal) => {
      signal.throwIfAborted()
      const profile = await shared(subject)
      const body = profile && bodyOf(profile, operation)
      return profile && body !== undefined
        ? {
            body,
            version: profile.scored.version,
            dataHeight: profile.scored.dataHeight,
            unsure: hasIncompleteLog(profile.scored.unknowns),
          }
        : undefined
    },
  })

  return {
    fraud_audit: providerOf('fraud_audit'),
    wallet_segment: providerOf('wallet_segment'),
    credit_score: providerOf('credit_score'),
  }
}
