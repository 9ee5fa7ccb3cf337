/** Finds which addresses have a label or are on a list, before their labels are loaded. */
import { readSql } from '../../../platform/store/sql.ts'
import type { AddressAliases } from '../../../schema/address/aliases.ts'
import type { Network } from '../../../schema/networks.ts'
import type { TieredStore, Tiers } from '../reading/tiers.ts'

const LABELLED = readSql(import.meta.url, './sql/labelled.sql')
const WITH_PARTIES = readSql(import.meta.url, './sql/labelled-with-parties.sql')

/** An address with a label or listing. Most addresses have none, so this first query usually saves the second. */
export type LabelledAddress = {
  network: Network
  address: string
  /** 1 if it is on a list, 0 if it only has labels. */
  listed: 0 | 1
}

const NOBODY = { dealers: [], tiers: { hot: new Set<string>() } }

/** The aliases, and direct counterparties of the `dealers`, that have a label or are on a list. */
export const loadLabelled = (
  store: TieredStore,
  network: Network,
  { networks, askedOf }: AddressAliases,
  { dealers, tiers }: { dealers: readonly string[]; tiers: Pick<Tiers, 'hot'> } = NOBODY,
): Promise<LabelledAddress[]> => {
  const addresses = [...askedOf.keys()]
  const tiered = store.reading(tiers.hot.size > 0 ? 'all' : 'final')
  const route = 'labelled_addresses'
  return dealers.length === 0
    ? tiered.query(LABELLED, { networks, addresses }, { route })
    : tiered.query(WITH_PARTIES, { network, networks, addresses, dealers }, { route })
}
