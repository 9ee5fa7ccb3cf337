/**
 * Listings and labels of addresses, joined over the networks that share keys: a statement about an externally owned account on one EVM
 * network (or the same key on TRON) holds on the others. Contracts are not joined, because another network may have other code at
 * the address. Contracts are addresses with a known creation, pools, tokens, infrastructure of the registry, and addresses that a
 * list calls a contract.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { AddressAliases } from '../../../schema/address/aliases.ts'
import type { Network } from '../../../schema/networks.ts'
import { listersOf } from '../../../schema/registry/authorities.ts'
import { infrastructureOf } from '../../../schema/registry/infrastructure.ts'
import type { TieredStore } from '../reading/tiers.ts'
import type { LabelledAddress } from './labelled.ts'
import { DELISTED } from './vocabulary.ts'

const LISTINGS = readSql(import.meta.url, './sql/listings.sql')
const LABELS = readSql(import.meta.url, './sql/labels.sql')
const CONTRACTS = readSql(import.meta.url, './sql/contracts.sql')

/** Newest listing event of one authority about an address. Times in Unix seconds. */
export type Listing = {
  network: Network
  list: 'sanctions' | 'freeze'
  authority: string
  /** 1 while in force. */
  listed: 0 | 1
  changed_at: number
  changed_in: string
  listed_at: number
  listed_in: string
  seized: number
}

/** A label in force, as in table `address_labels`. `confidence` from 0 to 1. */
export type Label = {
  network: Network
  label: string
  detector: string
  /** `asserted` by an authority, `reported` by a list, `detected` by our detectors, `propagated` from other labels. */
  class: 'asserted' | 'reported' | 'detected' | 'propagated'
  confidence: number
  detector_version: string
  /** JSON text. */
  evidence: string
  tx_hash: string
  block_number: number
}

/** Listings of an address, including lifted ones, and its labels in force. */
export type Known = { listings: Listing[]; labels: Label[] }

type Statements = { listings: (Listing & { address: string })[]; labels: (Label & { address: string })[] }

const loadStatements = async (
  store: TieredStore,
  networks: readonly Network[],
  labelled: readonly LabelledAddress[],
): Promise<Statements> => {
  const listed = [...new Set(labelled.filter((row) => row.listed === 1).map((row) => row.address))]
  const addresses = [...new Set(labelled.map((row) => row.address))]
  const [listings, labels] = await Promise.all([
    listed.length > 0
      ? store.query<Statements['listings'][0]>(
          LISTINGS,
          {
            networks,
            addresses: listed,
            authorities: networks.flatMap((one) => listersOf(one).map((lister) => `${one} ${lister}`)),
          },
          { route: 'listings' },
        )
      : [],
    addresses.length > 0
      ? store.query<Statements['labels'][0]>(LABELS, { networks, addresses }, { route: 'labels' })
      : [],
  ])
  return { listings, labels }
}

/** Loads listings and labels by address. `labelled` must contain every alias that has a label or listing. */
export const loadKnown = async (
  store: TieredStore,
  network: Network,
  { networks, askedOf }: AddressAliases,
  labelled: readonly LabelledAddress[],
): Promise<Map<string, Known>> => {
  const own = labelled.filter((row) => askedOf.has(row.address))
  const { listings, labels } = await loadStatements(store, networks, own)
  const elsewhere = [...listings, ...labels].filter((row) => row.network !== network)
  const calledContracts = new Set(
    labels.filter(({ evidence }) => IS_CONTRACT.test(evidence)).map((row) => `${row.network}:${row.address}`),
  )
  const contracts = await loadContracts(store, network, elsewhere, askedOf)
  const known = new Map<string, Known>()
  const entryFor = (row: { network: Network; address: string }): Known | undefined => {
    const asked = askedOf.get(row.address)
    if (asked === undefined) return undefined
    const foreign = row.network !== network
    const places = [`${row.network}:${row.address}`, `${network}:${asked}`]
    if (foreign && places.some((place) => contracts.has(place) || calledContracts.has(place))) return undefined
    const entry = known.get(asked) ?? { listings: [], labels: [] }
    known.set(asked, entry)
    return entry
  }
  for (const { address, ...row } of listings) entryFor({ ...row, address })?.listings.push(row)
  for (const { address, ...row } of labels) entryFor({ ...row, address })?.labels.push(row)
  // `delisted` overrides `sanctioned`, so that a list that is out of date or loaded again does not accuse.
  for (const entry of known.values()) {
    if (entry.labels.some(({ label }) => label === DELISTED)) {
      entry.labels = entry.labels.filter(({ label }) => label !== 'sanctioned')
    }
  }
  return known
}

/** Marks imported labels whose address is a contract. */
const IS_CONTRACT = /"contract":true/

/** The places (network and address) of the rows that hold contracts. */
const loadContracts = async (
  store: TieredStore,
  network: Network,
  rows: readonly { network: Network; address: string }[],
  askedOf: AddressAliases['askedOf'],
): Promise<Set<string>> => {
  if (rows.length === 0) return new Set()
  const asked = rows.flatMap((row) => askedOf.get(row.address) ?? [])
  const networks = [...new Set([network, ...rows.map((row) => row.network)])]
  const addresses = [...new Set([...asked, ...rows.map((row) => row.address)])]
  const found = await store.query<{ network: Network; address: string }>(
    CONTRACTS,
    { networks, addresses },
    { route: 'label_contracts' },
  )
  const contracts = new Set(found.map((row) => `${row.network}:${row.address}`))
  for (const there of networks) {
    const infrastructure = infrastructureOf(there)
    for (const address of addresses) if (infrastructure.has(address)) contracts.add(`${there}:${address}`)
  }
  return contracts
}
