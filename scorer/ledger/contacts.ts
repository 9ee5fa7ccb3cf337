/** Direct dealings with flagged addresses. A feature and a reason, never a flag by itself. */
import { readSql } from '../../platform/store/sql.ts'
import { type Network, networkInfo } from '../../schema/networks.ts'
import { infrastructureOf } from '../../schema/registry/infrastructure.ts'
import type { WalletFeatures } from './features/wallet.ts'
import type { LabelledAddress } from './labels/labelled.ts'
import { isVouchedFor, loadReputations, type Reputation, wordsInForce } from './labels/reputation/reputation.ts'
import { FRAUD_LABELS } from './labels/vocabulary.ts'
import { readByTier, type TieredStore, type Tiers } from './reading/tiers.ts'

const EXPOSURE = readSql(import.meta.url, './sql/contacts.sql')

/** Labels of at least this confidence make a counterparty flagged, unless someone vouches for it. */
const LEAST = 0.9
/**
 * Wallets with more partners than this are services; their exposure says nothing and stays unknown. So does that of wallets with more
 * counterparties than are read: a stranger's token can name thousands of them in a transaction, so that number alone makes no service.
 */
const MAX_PARTNERS = 10_000
const MAX_COUNTERPARTIES = 100_000

/** Native amounts in whole coins; token movements are counted only. */
export type Contact = {
  counterparty: string
  native_in: number
  native_out: number
  /** `native_out` in base units, exactly. */
  paid: bigint
  token_in: number
  token_out: number
  /** Movements the wallet signed itself. */
  own: number
}

/** The wallets whose counterparties are looked at, and those that have too many. */
export const dealersAmong = (wallets: ReadonlyMap<string, WalletFeatures>) => {
  const dealers: string[] = []
  const unknown = new Set<string>()
  for (const [address, wallet] of wallets) {
    const partners = wallet.in_partners + wallet.out_partners
    const counterparties = wallet.in_counterparties + wallet.out_counterparties
    if (partners > MAX_PARTNERS || counterparties > MAX_COUNTERPARTIES) unknown.add(address)
    else dealers.push(address)
  }
  return { dealers, unknown }
}

/** Contacts of the dealers that have any. `labelled` has to hold all of their counterparties that have a label or are on a list. */
export const loadContacts = async (
  store: TieredStore,
  network: Network,
  dealers: readonly string[],
  labelled: readonly LabelledAddress[],
  tiers: Tiers,
): Promise<Map<string, Contact[]>> => {
  const contacts = new Map<string, Contact[]>()
  const infrastructure = infrastructureOf(network)
  const isFlagged = (address: string, reputation: Reputation): boolean =>
    reputation.lists.length > 0 ||
    (!infrastructure.has(address) &&
      wordsInForce(reputation, FRAUD_LABELS, LEAST).length > 0 &&
      !isVouchedFor(reputation))
  const reputations = await loadReputations(store, network, labelled)
  const suspects = [...reputations].flatMap(([address, reputation]) =>
    isFlagged(address, reputation) ? [address] : [],
  )
  if (suspects.length === 0) return contacts
  const rows = await readByTier(store, tiers, dealers, (tiered, addresses) =>
    tiered.query<Omit<Contact, 'paid'> & { address: string; paid: string }>(
      EXPOSURE,
      { network, addresses, suspects },
      { route: 'wallet_exposure' },
    ),
  )
  const unit = 10 ** networkInfo(network).nativeCoin.decimals
  for (const { address, ...row } of rows) {
    const contact = {
      ...row,
      native_in: row.native_in / unit,
      native_out: row.native_out / unit,
      paid: BigInt(row.paid),
    }
    contacts.set(address, [...(contacts.get(address) ?? []), contact])
  }
  for (const list of contacts.values()) list.sort((a, b) => (a.counterparty < b.counterparty ? -1 : 1))
  return contacts
}
