/**
 * Features of a wallet: what the tables of every network can count about an address. Serving, training and rules read them here. Unknown
 * values are `null`; 0 means that something was looked for and not found.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { familyOf, type Network, networkInfo } from '../../../schema/networks.ts'
import type { Tiers } from '../reading/tiers.ts'
import { type Row, withHotRows } from './wallet-hot.ts'

const FINAL = readSql(import.meta.url, './sql/wallet-final.sql')
const WHOLE = readSql(import.meta.url, './sql/wallet-whole.sql')

/** Merged by the store. Amounts in base units of the native coin, times in Unix seconds. */
type WalletRow = {
  address: string
  first_seen: number | null
  last_seen: number | null
  active_days: number
  sent: number
  sent_failed: number
  sent_zero: number
  sent_first: number | null
  sent_last: number | null
  sent_last_position: string | null
  sent_max: number | null
  sent_total: number
  fees: number
  sent_to: number
  received: number
  received_from: number
  /** Received transactions with more than dust. */
  paid: number
  paid_first: number | null
  paid_last: number | null
  paid_max: number | null
  paid_total: number
  payers: number
  native_in_count: number
  native_out_count: number
  native_in: number
  native_out: number
  /** Part of `native_in` from movements above dust. */
  native_paid: number
  in_counterparties: number
  out_counterparties: number
  /** Counterparties that sent more than dust, or tokens in transactions they signed. */
  in_partners: number
  /** Counterparties it sent more than dust, or tokens in transactions it signed. */
  out_partners: number
  funder: string
  token_in_count: number
  token_out_count: number
  token_out_own: number
  token_zero: number
  nft_in_count: number
  nft_out_count: number
  approvals_given: number
  approvals_revoked: number
  approvals_received: number
  approvers: number
  contracts_created: number
  created: number
  lp_adds: number
  lp_removes: number
  mixer_events: number
  mixer_deposits: number
  mixer_withdrawals: number
  mixer_withdrawals_own: number
  delegations: number
  delegators: number
  messages: number
  pulled_in: number
  token_dust_out: number
  third_party_dust: number
}

/** Amounts in whole native coins, times in Unix seconds. `funder` sent the first native coins above dust; null if not known. */
export type WalletFeatures = Omit<WalletRow, 'funder'> & { funder: string | null }

const EMPTY: Omit<WalletFeatures, 'address'> = {
  first_seen: null,
  last_seen: null,
  active_days: 0,
  sent: 0,
  sent_failed: 0,
  sent_zero: 0,
  sent_first: null,
  sent_last: null,
  sent_last_position: null,
  sent_max: null,
  sent_total: 0,
  fees: 0,
  sent_to: 0,
  received: 0,
  received_from: 0,
  paid: 0,
  paid_first: null,
  paid_last: null,
  paid_max: null,
  paid_total: 0,
  payers: 0,
  native_in_count: 0,
  native_out_count: 0,
  native_in: 0,
  native_out: 0,
  native_paid: 0,
  in_counterparties: 0,
  out_counterparties: 0,
  in_partners: 0,
  out_partners: 0,
  funder: null,
  token_in_count: 0,
  token_out_count: 0,
  token_out_own: 0,
  token_zero: 0,
  nft_in_count: 0,
  nft_out_count: 0,
  approvals_given: 0,
  approvals_revoked: 0,
  approvals_received: 0,
  approvers: 0,
  contracts_created: 0,
  created: 0,
  lp_adds: 0,
  lp_removes: 0,
  mixer_events: 0,
  mixer_deposits: 0,
  mixer_withdrawals: 0,
  mixer_withdrawals_own: 0,
  delegations: 0,
  delegators: 0,
  messages: 0,
  pulled_in: 0,
  token_dust_out: 0,
  third_party_dust: 0,
}

/** Features of an address without rows. */
export const emptyWallet = (address: string): WalletFeatures => ({ ...EMPTY, address })

const AMOUNTS: ReadonlySet<string> = new Set<keyof WalletRow>([
  'sent_max',
  'sent_total',
  'fees',
  'paid_max',
  'paid_total',
  'native_in',
  'native_out',
  'native_paid',
])

/** Text columns. All others are numbers, whatever type the store returns. */
const TEXTS: ReadonlySet<string> = new Set<keyof WalletRow>(['address', 'funder', 'sent_last_position'])

/** Converts rows in place: copying fifty columns costs as much as the rest of loading them. */
const toFeatures = (unit: number, row: Record<string, unknown>): WalletFeatures => {
  for (const name in row) {
    const value = row[name]
    if (value === null || TEXTS.has(name)) continue
    row[name] = AMOUNTS.has(name) ? Number(value) / unit : Number(value)
  }
  if (row.funder === '') row.funder = null
  return row as WalletFeatures
}

/** Reads rows of the final tier: the part of `loadWallets` that needs no heights. */
export const loadFinalRows = (store: Store, network: Network, addresses: readonly string[]): Promise<Row[]> =>
  store.query(FINAL, { network, addresses }, { route: 'wallet_features_final' })

/** Reads rows of wallets with fetched pasts over all tiers. */
export const loadWholeRows = (store: Store, network: Network, addresses: readonly string[]): Promise<Row[]> =>
  store.query(WHOLE, { network, addresses }, { route: 'wallet_features_whole' })

/** Loads features by address. Wallets without rows are absent. `final`: final rows that are already being read. */
export const loadWallets = async (
  store: Store,
  network: Network,
  addresses: readonly string[],
  { hot }: Tiers,
  final = loadFinalRows(store, network, addresses),
): Promise<Map<string, WalletFeatures>> => {
  const warm = addresses.filter((address) => hot.has(address))
  const rows = await (warm.length > 0 ? withHotRows(store, network, warm, final) : final)
  const unit = 10 ** networkInfo(network).nativeCoin.decimals
  const { keyedContracts } = familyOf(network)
  return new Map(
    rows.map((row) => {
      const wallet = toFeatures(unit, row)
      if (keyedContracts && wallet.sent > 0) wallet.created = 0
      return [wallet.address, wallet] as const
    }),
  )
}

/**
 * Transactions that the wallet signed, or that paid it more than dust. They measure its amount of history and are the basis of behaviour.
 * Dust, empty calls and unsolicited tokens do not count, because anyone can send them.
 */
export const transactionCount = (wallet: WalletFeatures): number => wallet.sent + wallet.paid

/** Whether the address is a contract, by its creation. Accounts with EIP-7702 code, and those of closed mints, are not contracts. */
export const isContract = (wallet: WalletFeatures): boolean => wallet.created > 0
