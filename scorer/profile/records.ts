/** Stored profiles: one row per wallet with the bodies of the three operations. */
import { createHash } from 'node:crypto'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import type { StoredRecord } from '../../schema/records/stored.ts'
import { LOG_IS_INCOMPLETE } from '../ledger/authorities/coverage.ts'
import type { WalletProfile } from './assemble.ts'

const LOOKUP = readSql(import.meta.url, './sql/lookup.sql')

/** Operations that a profile serves. */
export type ProfileOperation = 'fraud_audit' | 'wallet_segment' | 'credit_score'

const row = ({ profile, dataHeight }: { profile: WalletProfile; dataHeight: number }) => ({
  network: profile.scored.network,
  address: profile.scored.address,
  version: profile.scored.version,
  audit: profile.audit,
  segment: profile.segment,
  credit: profile.credit,
  segment_letter: profile.letter,
  quality: profile.quality,
  rating: profile.rating,
  experience: profile.experience,
  risk_capability: profile.riskCapability,
  transaction_count: profile.transactions,
  age_days: profile.ageDays,
  balance_usd: profile.balanceUsd,
  probability: profile.scored.probability,
  unknowns: profile.unknowns,
  reasons: JSON.stringify(profile.reasons),
  model_version: profile.scored.modelVersion,
  data_height: dataHeight,
  computed_at: Math.floor(profile.scored.computedAt / 1_000),
})

/** Stores profiles in one insert. Repeating it with the same bytes has no effect. The row with the highest `version` counts. */
export const saveProfiles = async (
  store: Store,
  profiles: readonly { profile: WalletProfile; dataHeight: number }[],
): Promise<void> => {
  if (profiles.length === 0) return
  const text = profiles.map((profile) => `${JSON.stringify(row(profile))}\n`).join('')
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32)
  await store.insert('profile_records', text, { token: `profile_records:${digest}` })
}

/** The body of an operation from a computed profile; undefined if the network does not have the operation. */
export const bodyOf = (profile: WalletProfile, operation: ProfileOperation): string | undefined => {
  const body = { fraud_audit: profile.audit, wallet_segment: profile.segment, credit_score: profile.credit }[operation]
  return body === '' ? undefined : body
}

/** Stored bodies in the order of the subjects, with one query. Omits profiles older than the wallet's newest fraud record. */
export const lookupProfiles = async (
  store: Store,
  operation: ProfileOperation,
  subjects: readonly { network: Network; address: string }[],
  signal?: AbortSignal,
): Promise<(StoredRecord | undefined)[]> => {
  if (subjects.length === 0) return []
  const rows = await store.query<{
    network: string
    address: string
    version: string
    body: string
    scored: string
    data_height: number
    unsure: 0 | 1
  }>(
    LOOKUP,
    {
      operation,
      words: LOG_IS_INCOMPLETE,
      networks: [...new Set(subjects.map(({ network }) => network))],
      addresses: [...new Set(subjects.map(({ address }) => address))],
    },
    { route: 'profile_records', ...(signal ? { signal } : {}) },
  )
  const found = new Map(
    rows
      .map(({ version, scored, ...rest }) => ({ ...rest, version: Number(version), scored: Number(scored) }))
      .filter(({ body, version, scored }) => body !== '' && version >= scored)
      .map(
        ({ network, address, body, version, data_height: dataHeight, unsure }) =>
          [`${network}:${address}`, { body, version, dataHeight, unsure: unsure === 1 }] as const,
      ),
  )
  return subjects.map(({ network, address }) => found.get(`${network}:${address}`))
}
