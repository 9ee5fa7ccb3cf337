/**
 * The registry as tables that analysts can join: public infrastructure, coins that have a price, and exchanges whose pools
 * count. Migrations write them at every start. Assay itself does not read them: code uses the registry.
 */
import { NETWORK_CODES } from '../../networks.ts'
import { registryOf, wrappedNative } from '../../registry/index.ts'
import { infrastructureOf } from '../../registry/infrastructure.ts'
import { protocolsOf } from '../../registry/protocols.ts'
import { SWAP_PROGRAMS } from '../../registry/signatures/instructions.ts'
import { POOL_KIND } from '../chain/chain.ts'
import { flag, network, type RowOf, text, uint8, uint64, word } from '../column.ts'
import type { Table } from '../ddl.ts'

const kept = {
  registered: flag('0 when a later version of Assay took it out of the registry'),
  version: uint64('Milliseconds since the epoch when the row was written; the newest counts'),
}

const columns = {
  network,
  address: text('Canonical address'),
  name: text('Protocol, service, token or mixer'),
  category: word(
    'exchange, dex, bridge, lending, staking, marketplace, gambling, mining, mixer, privacy, token or service',
  ),
  ...kept,
}

const assetColumns = {
  network,
  address: text('Token contract'),
  symbol: text('Symbol of the genuine token'),
  decimals: uint8('Decimal places'),
  stable: flag('1 when it is pegged to the US dollar: its price is one dollar by definition'),
  wrapped: flag('1 when it is the wrapped native coin'),
  ...kept,
}

const factoryColumns = {
  network,
  address: text('Factory or singleton that announces pools, or program that holds them'),
  name: text('Exchange'),
  kind: word(`${POOL_KIND}; empty for programs`),
  ...kept,
}

/** The table of public infrastructure. */
export const registeredTable: Table = {
  kind: 'table',
  name: 'registered_addresses',
  comment:
    'Public infrastructure that Assay knows by its registry. Written at every start. Read through labels_current',
  columns,
  engine: 'ReplacingMergeTree(version)',
  orderBy: ['network', 'address'],
}

/** The table of coins that may have a price. */
export const registeredAssetsTable: Table = {
  kind: 'table',
  name: 'registered_assets',
  comment: 'Coins of the registry: those that can have a price. Written at every start. Read through prices',
  columns: assetColumns,
  engine: 'ReplacingMergeTree(version)',
  orderBy: ['network', 'address'],
}

/** The table of exchanges. */
export const registeredFactoriesTable: Table = {
  kind: 'table',
  name: 'registered_factories',
  comment:
    'Exchanges of the registry, by the contract that announces their pools. Written at every start. Read through dex_trades',
  columns: factoryColumns,
  engine: 'ReplacingMergeTree(version)',
  orderBy: ['network', 'address'],
}

/** Rows of table `registered_addresses`, without their version. */
export const registeredRows = (): Omit<RowOf<typeof columns>, 'version'>[] =>
  NETWORK_CODES.flatMap((code) =>
    [...infrastructureOf(code)].map(([address, { name, category }]) => ({
      network: code,
      address,
      name,
      category,
      registered: 1 as const,
    })),
  )

/** Rows of table `registered_assets`, without their version. */
export const registeredAssetRows = (): Omit<RowOf<typeof assetColumns>, 'version'>[] =>
  NETWORK_CODES.flatMap((code) => {
    const wrapped = wrappedNative(code)?.address
    return [...registryOf(code).assets].map(([address, { symbol, decimals, flags }]) => ({
      network: code,
      address,
      symbol,
      decimals,
      stable: flags.includes('stable') ? (1 as const) : (0 as const),
      wrapped: address === wrapped ? (1 as const) : (0 as const),
      registered: 1 as const,
    }))
  })

/** Rows of table `registered_factories`, without their version. */
export const registeredFactoryRows = (): Omit<RowOf<typeof factoryColumns>, 'version'>[] =>
  NETWORK_CODES.flatMap((code) => {
    const programs = [...SWAP_PROGRAMS].flatMap((program) => protocolsOf(code).get(program) ?? [])
    return [
      ...[...registryOf(code).dexFactories].map(([address, { name, kind }]) => ({ address, name, kind })),
      ...programs.map(({ address, protocol }) => ({ address, name: protocol, kind: '' })),
    ].map((one) => ({ network: code, ...one, registered: 1 as const }))
  })
