/** Direct dealings with flagged addresses. A feature and a reason, never a flag by themselves. */
import { readSql } from '../../platform/store/sql.ts'
import { type Network, networkInfo } from '../../schema/networks.ts'
import { infrastructureOf } from '../../schema/registry/infrastructure.ts'
import type { WalletFeatures } from './features/wallet.ts'
import type { LabelledAddress } from './labels/labelled.ts'
import { isVouchedFor, loadReputations, type Reputation, wordsInForce } from './labels/reputation/reputation.ts'
import { FRAUD_LABELS } from './labels/vocabulary.ts'
import { readByTier, type TieredStore, type Tiers } from './reading/tiers.ts'

const EXPOSURE = readSql(import.meta.url, './sql/contacts.sql')

/** Minimum confidence of labels that flag a counterparty, unless a label vouches for it. */
const LEAST = 0.9
/**
 * Wallets with more partners are services, whose contacts mean nothing and stay unknown. The same holds for wallets with more
 * counterparties than are read. That number alone makes no service: a stranger's token can name thousands of counterparties in one
 * transaction.
 */
const MAX_PARTNERS = 10_000
const MAX_COUNTERPARTIES = 100_000

/** Native amounts in whole coins. Tokens are counted by movements only. */
export type Contact = {
  counterparty: string
  native_in: number
  native_out: number
  /** `native_out` in base units, exact. */
  paid: bigint
  token_in: number
  token_out: number
  /** Movements that the wallet signed. */
  own: number
}

/** Wallets whose counterparties are examined, and those that have too many. */
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

/** Loads contacts by dealer. `labelled` must contain every counterparty of theirs that has a label or listing. */
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
