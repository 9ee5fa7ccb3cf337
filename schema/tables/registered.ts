/**
 * Table `registered_addresses`: what the registry of facts knows as public infrastructure, so that analysts can join it.
 * Migrations write it at every start. Nothing of Assay reads it: code asks the registry itself.
 */
import { NETWORK_CODES } from '../networks.ts'
import { infrastructureOf } from '../registry/infrastructure.ts'
import { flag, network, type RowOf, text, uint64, word } from './column.ts'
import type { Table } from './ddl.ts'

const columns = {
  network,
  address: text('Canonical address'),
  name: text('Protocol, service, token or mixer'),
  category: word(
    'exchange, dex, bridge, lending, staking, marketplace, gambling, mining, mixer, privacy, token or service',
  ),
  registered: flag('0 when a later version of Assay took it out of the registry'),
  version: uint64('Milliseconds since the epoch when the row was written; the newest counts'),
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
