/** What the API registers for the three operations: stored profiles, and new ones on the spot. */
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import type { StoredRecord, WalletRecord } from '../../schema/records/stored.ts'
import type { WalletProfile } from '../../scorer/profile/assemble.ts'
import type { Profiles } from '../../scorer/profile/profile.ts'
import { bodyOf, lookupProfiles, type ProfileOperation, saveProfiles } from '../../scorer/profile/records.ts'
import { saveRecords } from '../../scorer/scoring/stored.ts'

type Subject = { network: Network; address: string }

/** Shaped as the API's Provider, which this room may not import. */
export type ProfileProvider = {
  lookup: (subjects: readonly Subject[], signal: AbortSignal) => Promise<(StoredRecord | undefined)[]>
  compute: (subject: Subject, signal: AbortSignal) => Promise<StoredRecord | undefined>
}

export type ProfileProviderDeps = {
  store: Store
  profiles: Profiles
  /** Tells the world about the fraud records that were computed on the way (topic `records`). */
  publish?: (records: readonly WalletRecord[]) => Promise<void>
}

/**
 * Providers of the three operations. They share computations: who asks for two of them at once gets both from one. The
 * fraud record computed on the way is stored too, so that check and audit never disagree.
 */
export const createProfileProviders = ({
  store,
  profiles,
  publish,
}: ProfileProviderDeps): Record<ProfileOperation, ProfileProvider> => {
  const underWay = new Map<string, Promise<WalletProfile | undefined>>()

  const make = async ({ network, address }: Subject): Promise<WalletProfile | undefined> => {
    const [made] = await profiles.profile(network, [address])
    if (!made) return undefined
    const records = await saveRecords(store, [made.profile.scored])
    await saveProfiles(store, [made])
    await publish?.(records)
    return made.profile
  }

  const shared = (subject: Subject): Promise<WalletProfile | undefined> => {
    const key = `${subject.network}:${subject.address}`
    const known = underWay.get(key)
    if (known) return known
    const promise = make(subject).finally(() => underWay.delete(key))
    underWay.set(key, promise)
    return promise
  }

  const providerOf = (operation: ProfileOperation): ProfileProvider => ({
    lookup: (subjects, signal) => lookupProfiles(store, operation, subjects, signal),
    compute: async (subject, signal) => {
      signal.throwIfAborted()
      const profile = await shared(subject)
      const body = profile && bodyOf(profile, operation)
      return profile && body !== undefined ? { body, version: profile.scored.version } : undefined
    },
  })

  return {
    fraud_audit: providerOf('fraud_audit'),
    wallet_segment: providerOf('wallet_segment'),
    credit_score: providerOf('credit_score'),
  }
}
