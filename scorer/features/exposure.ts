/** Direct dealings with flagged addresses. A feature and a reason, never a flag by itself. */
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import { type Network, networkInfo } from '../../schema/networks.ts'
import { infrastructureOf } from '../../schema/registry/infrastructure.ts'
import { FRAUD_LABELS, GUARD_CONFIDENCE, GUARDS } from '../labels/vocabulary.ts'
import { readTiers, type Tiers } from './tiers.ts'
import type { WalletFeatures } from './wallet.ts'

const SUSPECTS = readSql(import.meta.url, './sql/suspects.sql')
const EXPOSURE = readSql(import.meta.url, './sql/exposure.sql')

/** Labels of at least 0.9 make a counterparty flagged, unless someone vouches for it. */
const WHO_COUNTS = { least: 0.9, fraud: FRAUD_LABELS, guards: GUARDS, vouched: GUARD_CONFIDENCE }
/** Wallets with more counterparties than this are services; their exposure says nothing and stays unknown. */
const MOST_COUNTERPARTIES = 10_000

/** Native amounts in whole coins; token movements are counted only. */
export type Contact = {
  counterparty: string
  native_in: number
  native_out: number
  token_in: number
  token_out: number
  /** Movements the wallet signed itself. */
  own: number
}

/** Contacts by address; wallets without any are not in the map, wallets not looked at are in `unknown`. */
export const loadExposure = async (
  store: Store,
  network: Network,
  wallets: ReadonlyMap<string, WalletFeatures>,
  tiers: Tiers,
): Promise<{ contacts: Map<string, Contact[]>; unknown: Set<string> }> => {
  const contacts = new Map<string, Contact[]>()
  const unknown = new Set<string>()
  const addresses: string[] = []
  for (const [address, wallet] of wallets) {
    if (wallet.in_counterparties + wallet.out_counterparties > MOST_COUNTERPARTIES) unknown.add(address)
    else addresses.push(address)
  }
  const listings = tiers.anyHot ? 'authority_listings_all' : 'authority_listings_final'
  const infrastructure = [...infrastructureOf(network).keys()]
  const rows = await readTiers(
    tiers,
    addresses,
    { final: 'wallet_edges', all: 'wallet_edges_all' },
    async (edges, addresses) => {
      const asked = { edges, network, addresses }
      const suspects = await store.query<{ address: string }>(SUSPECTS, asked, { route: 'exposure_suspects' })
      if (suspects.length === 0) return []
      return store.query<Contact & { address: string }>(
        EXPOSURE,
        { ...asked, suspects: suspects.map((row) => row.address), listings, infrastructure, ...WHO_COUNTS },
        { route: 'wallet_exposure' },
      )
    },
  )
  const unit = 10 ** networkInfo(network).nativeCoin.decimals
  for (const { address, ...row } of rows) {
    const contact = { ...row, native_in: row.native_in / unit, native_out: row.native_out / unit }
    contacts.set(address, [...(contacts.get(address) ?? []), contact])
  }
  for (const list of contacts.values()) list.sort((a, b) => (a.counterparty < b.counterparty ? -1 : 1))
  return { contacts, unknown }
}
