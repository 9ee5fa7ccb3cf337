/** Loads everything that the verdicts of a batch need, from one state of the tables. */

import type { Store } from '../../platform/store/store.ts'
import { addressAliases } from '../../schema/address/aliases.ts'
import type { Network } from '../../schema/networks.ts'
import type { WalletRecord } from '../../schema/records/stored.ts'
import { createLoadContext, exceededLimits, loadBatchPasts, loadEvidence, provenEvidence } from '../detection/index.ts'
import type { Asked } from '../ledger/authorities/ask.ts'
import { loadCoverage, withElsewhere } from '../ledger/authorities/coverage.ts'
import { coverageWithAnswers, withAnswers } from '../ledger/authorities/merge.ts'
import { dealersAmong, loadContacts } from '../ledger/contacts.ts'
import { bridgedUnknown, loadBridged } from '../ledger/exposure/bridged.ts'
import { loadFlaggedInflows } from '../ledger/exposure/inflow.ts'
import { createValuation, type ReadValuation } from '../ledger/exposure/valuation.ts'
import {
  emptyWallet,
  loadFinalRows,
  loadWallets,
  loadWholeRows,
  type WalletFeatures,
} from '../ledger/features/wallet.ts'
import { guardOf } from '../ledger/labels/guard.ts'
import { type Known, loadKnown } from '../ledger/labels/known.ts'
import { loadLabelled } from '../ledger/labels/labelled.ts'
import { hasRows, isWhole, loadFetched } from '../ledger/past/fetched.ts'
import { lateStart, loadLateStart, PAST_IS_UNKNOWN, PAST_OF_PAYERS, type Past } from '../ledger/past/past.ts'
import { createReadAhead, type Heights, type Patience, type ReadAhead } from '../ledger/reading/settled.ts'
import { createTieredStore, loadTiers, type TableChoice, type Tiers } from '../ledger/reading/tiers.ts'
import { lookupRecords } from '../ledger/records.ts'
import type { Wallet } from './wallet.ts'

const isKnown = ({ listings, labels }: Known): boolean => listings.length + labels.length > 0

/** Unknowns of a wallet whose behaviour is partly before the covered blocks. */
const unknownPast = (past: Past): string[] =>
  past.kind === 'whole' ? [] : [`probabilityFraud: ${PAST_IS_UNKNOWN} (${past.why})`]

const wasPaid = (features: WalletFeatures | undefined): boolean =>
  features !== undefined && features.native_in_count + features.token_in_count > 0

const NOTHING_KNOWN: Known = { listings: [], labels: [] }

/** All data for the verdicts of a batch. Wallets with fetched pasts are read separately; `height` is the lower of both reads. */
export type Snapshot = {
  network: Network
  /** Newest block in the data. */
  height: number
  /** Undefined if nothing is known about the address. */
  walletOf: (address: string) => Wallet | undefined
  recordOf: (address: string) => WalletRecord | undefined
  unknownsOf: (address: string) => string[]
}

/** @param asking pending question to authorities; then there is exactly one address */
export type LoadSnapshot = (
  network: Network,
  addresses: readonly string[],
  patience?: Patience,
  asking?: Promise<Asked>,
) => Promise<Snapshot>

/** Wallets with a fetched past that adds something. */
const loadWithPasts = async (store: Store, network: Network, addresses: readonly string[]): Promise<Set<string>> => {
  const fetched = await loadFetched(store, network, addresses)
  if (fetched.size === 0) return new Set()
  const firstCovered = await loadLateStart(store, network)
  return new Set(
    [...fetched.values()]
      .filter((state) => firstCovered !== undefined && (hasRows(state) || isWhole(state, firstCovered)))
      .map(({ address }) => address),
  )
}

/** Loads features first, then everything that depends on them in parallel. */
export const createLoadSnapshot = (store: Store): LoadSnapshot => {
  const readAhead = createReadAhead(store)
  const valuations = new Map<Network, ReadValuation>()
  const valuationOf = (network: Network): ReadValuation => {
    const read = valuations.get(network) ?? createValuation(store, network)
    valuations.set(network, read)
    return read
  }
  return async (network, addresses, patience = {}, asking) => {
    const batch = { store, readAhead, readValuation: valuationOf(network), network, patience, asking }
    // Records do not depend on the state of the tables, so they are loaded in parallel. Few wallets have fetched pasts, so all are
    // first read without them.
    const [snapshot, withPasts, records] = await Promise.all([
      readSnapshot(batch, addresses, readTiers),
      loadWithPasts(store, network, addresses),
      lookupRecords(
        store,
        addresses.map((address) => ({ network, address })),
      ),
    ])
    const whole = withPasts.size > 0 ? await readSnapshot(batch, [...withPasts], readWhole) : snapshot
    const snapshotOf = (address: string) => (withPasts.has(address) ? whole : snapshot)
    const recordOf = new Map(addresses.map((address, index) => [address, records[index]]))
    return {
      network,
      height: Math.min(snapshot.height, whole.height),
      walletOf: (address) => snapshotOf(address).walletOf(address),
      unknownsOf: (address) => snapshotOf(address).unknownsOf(address),
      recordOf: (address) => recordOf.get(address),
    }
  }
}

/** Which tables the wallets of a batch are read from. */
type Reading = {
  /** Starts reading features before it is known which rows are hot. */
  begin: (store: Store, network: Network, addresses: readonly string[]) => ReturnType<typeof loadFinalRows>
  tiers: (store: Store, network: Network, addresses: readonly string[], heights: Heights) => Promise<Tiers>
  tables: (tiers: Tiers) => TableChoice
}

const readTiers: Reading = {
  begin: loadFinalRows,
  tiers: loadTiers,
  tables: ({ anyHot }) => (anyHot ? 'all' : 'final'),
}

/** All tiers, plus fetched history from before the first covered block. */
const readWhole: Reading = {
  begin: loadWholeRows,
  tiers: async () => ({ anyHot: false, hot: new Set() }),
  tables: () => 'whole',
}

type SnapshotBatch = {
  store: Store
  readAhead: ReadAhead
  readValuation: ReadValuation
  network: Network
  patience: Patience
  asking: Promise<Asked> | undefined
}

const readSnapshot = (
  { store: untiered, readAhead, readValuation, network, patience, asking }: SnapshotBatch,
  addresses: readonly string[],
  reading: Reading,
): Promise<Omit<Snapshot, 'recordOf'>> => {
  const begin = () => reading.begin(untiered, network, addresses)
  const read = async (heights: Heights, final: ReturnType<typeof begin>): Promise<Omit<Snapshot, 'recordOf'>> => {
    const { head, time } = heights
    const covered = loadCoverage(untiered, network)
    covered.catch(() => undefined)
    const tiers = await reading.tiers(untiered, network, addresses, heights)
    const store = createTieredStore(untiered, reading.tables(tiers))
    const wallets = await loadWallets(store, network, addresses, tiers, final)
    const { dealers, unknown } = dealersAmong(wallets)
    const aliases = addressAliases(network, addresses)
    const labelled = loadLabelled(store, network, aliases, { dealers, tiers })
    const contacts = labelled.then((rows) => loadContacts(store, network, dealers, rows, tiers))
    const late = covered.then(({ first }) => lateStart(first))
    const context = createLoadContext({ store, network, wallets, tiers, now: time, late, contacts })
    const money = { store, network, heights, tiers, dealers, valuation: () => readValuation(head, time) }
    const inflow = Promise.all([loadFlaggedInflows({ ...money, contacts }), loadBridged(money)])
    const seen = Promise.all([loadBatchPasts(context), loadEvidence(context)]).then(async ([pasts, evidence]) => ({
      ...pasts,
      evidence: await provenEvidence(context, pasts, evidence),
    }))
    const [known, contactsOf, [inflows, bridged], { late: since, past, evidence }, coverage, asked] = await Promise.all(
      [labelled.then((rows) => loadKnown(store, network, aliases, rows)), contacts, inflow, seen, covered, asking],
    )
    const stored = { height: head, incomplete: coverage.own.incomplete }
    const logs = withElsewhere(coverageWithAnswers(network, coverage.own, asked, head), coverage.elsewhere)
    return {
      network,
      height: head,
      unknownsOf: (address) => [
        ...(unknown.has(address) ? ['exposure: too many counterparties to analyse'] : []),
        ...unknownPast(past(address)),
        ...(since !== undefined && past(address).kind === 'whole' && wasPaid(wallets.get(address))
          ? [`exposure: ${PAST_OF_PAYERS}`]
          : []),
        ...bridgedUnknown(bridged.get(address)),
        ...(inflows.get(address)?.cut ? ['exposure: more movements than are analysed'] : []),
        ...exceededLimits(wallets.get(address) ?? emptyWallet(address)),
      ],
      walletOf: (address) => {
        const about = withAnswers(known.get(address) ?? NOTHING_KNOWN, network, asked, stored)
        // An address that is listed or labelled but has no rows gets an answer too: a 404 would hide the listing.
        const features =
          wallets.get(address) ?? (known.has(address) || isKnown(about) ? emptyWallet(address) : undefined)
        if (!features) return undefined
        const guard = guardOf(network, address, about, features)
        return {
          network,
          address,
          features,
          contacts: unknown.has(address) ? null : (contactsOf.get(address) ?? []),
          inflow: inflows.get(address),
          known: about,
          logs,
          past: past(address),
          late: since,
          service: guard !== 'none',
          popular: guard === 'popular',
          evidence: evidence.get(address) ?? {},
        }
      },
    }
  }
  return readAhead(network, begin, read, patience)
}
