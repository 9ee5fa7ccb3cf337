/** Lists and retracts labels in force, and finds the wallets whose records depend on them. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { addressAliases } from '../../../schema/address/aliases.ts'
import type { Network } from '../../../schema/networks.ts'
import type { Label } from './known.ts'

const LIST = readSql(import.meta.url, './sql/list.sql')
const RETRACT = readSql(import.meta.url, './sql/retract.sql')
const CHANGED = readSql(import.meta.url, './sql/changed.sql')
const AFFECTED = readSql(import.meta.url, './sql/affected.sql')

/** Rows per page. All spellings of their addresses must fit into a statement (256 KB). */
const PAGE = 500

/** Empty lists and an absent detector match everything. Addresses are canonical. */
export type LabelFilter = {
  networks: readonly Network[]
  addresses: readonly string[]
  labels: readonly string[]
  detector?: string | undefined
}

/** `found_at` in Unix seconds. */
export type StoredLabel = Label & { address: string; found_at: number }

const bound = ({ networks, addresses, labels, detector = '' }: LabelFilter) => ({
  networks,
  addresses,
  labels,
  detector,
})

/** Labels in force, ordered by network, address, label and detector. */
export const listLabels = async function* (store: Store, filter: LabelFilter): AsyncGenerator<StoredLabel> {
  let after = { after_network: '', after_address: '', after_label: '', after_detector: '' }
  for (;;) {
    const rows = await store.query<StoredLabel>(
      LIST,
      { ...bound(filter), ...after, limit: PAGE },
      { route: 'label_list' },
    )
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = {
      after_network: last.network,
      after_address: last.address,
      after_label: last.label,
      after_detector: last.detector,
    }
  }
}

/** Revokes labels. @param now ms since the epoch */
export const retractLabels = (store: Store, filter: LabelFilter, now: number): Promise<void> =>
  store.command(RETRACT, { ...bound(filter), now }, { token: `label_retract:${now}:${JSON.stringify(bound(filter))}` })

/**
 * Wallets with a record that labels written at or after `since` (ms since the epoch) concern: named on any network that shares their
 * keys, or deployers of named contracts. Their records must be computed again.
 */
export const walletsAffected = async function* (
  store: Store,
  since: number,
  detector = '',
): AsyncGenerator<{ network: Network; addresses: string[] }> {
  let after = { after_network: '', after_address: '' }
  for (;;) {
    const rows = await store.query<{ network: Network; address: string }>(
      CHANGED,
      { since, detector, ...after, limit: PAGE },
      { route: 'labels_changed' },
    )
    for (const network of new Set(rows.map((row) => row.network))) {
      const named = rows.filter((row) => row.network === network).map((row) => row.address)
      const { networks, askedOf } = addressAliases(network, named)
      const found = await store.query<{ network: Network; address: string }>(
        AFFECTED,
        { networks, addresses: [...askedOf.keys()] },
        { route: 'labels_affected' },
      )
      for (const there of new Set(found.map((row) => row.network))) {
        yield { network: there, addresses: found.filter((row) => row.network === there).map((row) => row.address) }
      }
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = { after_network: last.network, after_address: last.address }
  }
}

/** Wallets that labels of these contracts concern: the contracts themselves if they have a record, and their deployers. */
export const walletsConcerned = async (
  store: Store,
  network: Network,
  contracts: readonly string[],
): Promise<string[]> => {
  if (contracts.length === 0) return []
  const found = await store.query<{ address: string }>(
    AFFECTED,
    { networks: [network], addresses: contracts },
    { route: 'labels_affected' },
  )
  return found.map((row) => row.address).sort()
}
