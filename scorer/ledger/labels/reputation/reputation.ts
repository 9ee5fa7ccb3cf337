/**
 * Reputations of other addresses on their own network: labels and lists without evidence. Separate queries for labels and lists take a
 * quarter of the time of a combined one, and few addresses are on a list.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Network } from '../../../../schema/networks.ts'
import { listersOf } from '../../../../schema/registry/authorities.ts'
import type { TieredStore } from '../../reading/tiers.ts'
import type { Label, Listing } from '../known.ts'
import type { LabelledAddress } from '../labelled.ts'
import { DELISTED, GUARD_CONFIDENCE, GUARDS } from '../vocabulary.ts'

const LABELS = readSql(import.meta.url, './labels.sql')
const LISTS = readSql(import.meta.url, './lists.sql')

/** Labels and lists of an address, as far as they matter for judging others by it. */
export type Reputation = {
  labels: Pick<Label, 'label' | 'class' | 'confidence'>[]
  /** Lists that it is on now. */
  lists: Listing['list'][]
}

/** Loads reputations by address. `labelled`: all addresses that ever had a label or listing. */
export const loadReputations = async (
  store: TieredStore,
  network: Network,
  labelled: readonly Pick<LabelledAddress, 'network' | 'address' | 'listed'>[],
): Promise<Map<string, Reputation>> => {
  const here = labelled.filter((row) => row.network === network)
  const addresses = [...new Set(here.map(({ address }) => address))]
  const listed = [...new Set(here.flatMap(({ address, listed }) => (listed === 1 ? [address] : [])))]
  const [labels, lists] = await Promise.all([
    addresses.length === 0
      ? []
      : store.query<Reputation['labels'][0] & { address: string }>(
          LABELS,
          { network, addresses },
          { route: 'reputation_labels' },
        ),
    listed.length === 0
      ? []
      : store.query<{ address: string; list: Listing['list'] }>(
          LISTS,
          { network, addresses: listed, authorities: listersOf(network) },
          { route: 'reputation_lists' },
        ),
  ])
  const found = new Map<string, Reputation>()
  const of = (address: string): Reputation => {
    const known = found.get(address) ?? { labels: [], lists: [] }
    found.set(address, known)
    return known
  }
  for (const { address, ...label } of labels) of(address).labels.push(label)
  for (const { address, list } of lists) of(address).lists.push(list)
  return found
}

/** Whether a label calls the address honest or public infrastructure. */
export const isVouchedFor = ({ labels }: Reputation): boolean =>
  labels.some(({ label, confidence }) => GUARDS.includes(label) && confidence >= GUARD_CONFIDENCE)

/** Labels among `words` that count: with confidence of at least `least`, without `sanctioned` if the address was delisted. */
export const wordsInForce = (
  { labels }: Reputation,
  words: readonly string[],
  least: number,
): Pick<Label, 'label' | 'class'>[] => {
  const delisted = labels.some(({ label }) => label === DELISTED)
  return labels.filter(
    ({ label, confidence }) => words.includes(label) && confidence >= least && !(delisted && label === 'sanctioned'),
  )
}
