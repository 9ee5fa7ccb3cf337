/** Actions of a wallet: transactions by protocol, category and verb. */
import { readSql } from '../../../platform/store/sql.ts'
import { CATEGORIES } from '../../../schema/registry/protocols.ts'
import type { TieredStore } from '../../ledger/reading/tiers.ts'
import type { ProfileFacts } from '../facts.ts'
import { type Verb, verbsOf } from '../verbs.ts'

const ACTIONS = readSql(import.meta.url, './sql/actions.sql')
const NOBODY = `0x${'0'.repeat(40)}`
const DAY = 86_400
/** Period that counts as recent, s. */
const RECENT = 90 * DAY

/** Number of transactions that touched the same contracts (or `#transfer`, `#nft`, `#swap`) with the same function. */
export type ActionRow = {
  address: string
  contracts: string[]
  /** Function called on a contract of the registry; otherwise empty. */
  selector: string
  /** What the call did, as decoded by the network's source (column `deeds`). */
  deeds: string
  recent: 0 | 1
  transactions: number
}

/** Transactions of the last 90 days and of the time before. */
type VerbCount = { recent: number; before: number }

/** Actions of a wallet. Transfers and unknown contracts count for no protocol. */
export type Actions = {
  /** Transactions by protocol. A transaction counts once for each protocol it touched. */
  protocols: Map<string, number>
  categories: Map<string, number>
  verbs: Map<Verb, VerbCount>
  /** Transactions with at least one known verb. */
  total: VerbCount
  /** `protocol verb` pairs, for engagement flags. */
  engaged: Set<string>
}

const MARKS: Record<string, { categories: readonly string[]; verb?: Verb }> = {
  '#transfer': { categories: CATEGORIES.wrapped },
  '#nft': { categories: CATEGORIES.nft, verb: 'nft' },
  '#swap': { categories: CATEGORIES.exchange, verb: 'trade' },
}

/** Empty actions. A new object on every call, because rows are added to it. */
export const noActions = (): Actions => ({
  protocols: new Map(),
  categories: new Map(),
  verbs: new Map(),
  total: { recent: 0, before: 0 },
  engaged: new Set(),
})

const count = <K>(counts: Map<K, number>, key: K, by: number) => counts.set(key, (counts.get(key) ?? 0) + by)

/** Adds a row to a wallet's actions. */
export const addActions = (actions: Actions, row: Omit<ActionRow, 'address'>, facts: ProfileFacts): void => {
  const protocols = new Set<string>()
  const categories = new Set<string>()
  const verbs = new Set<Verb>()
  for (const contract of row.contracts) {
    const known = facts.protocols.get(contract)
    const mark = MARKS[contract]
    const done = known ? verbsOf(known, row.selector, row.deeds) : mark?.verb ? [mark.verb] : []
    if (known) {
      protocols.add(known.protocol)
      for (const verb of done) actions.engaged.add(`${known.protocol} ${verb}`)
    }
    for (const category of known ? CATEGORIES[known.kind] : (mark?.categories ?? [])) categories.add(category)
    for (const verb of done) verbs.add(verb)
  }
  for (const protocol of protocols) count(actions.protocols, protocol, row.transactions)
  for (const category of categories) count(actions.categories, category, row.transactions)
  const when = row.recent ? 'recent' : 'before'
  if (verbs.size > 0) actions.total[when] += row.transactions
  for (const verb of verbs) {
    const seen = actions.verbs.get(verb) ?? { recent: 0, before: 0 }
    seen[when] += row.transactions
    actions.verbs.set(verb, seen)
  }
}

/** Input of every loader of a batch of profiles. `store` decides which tiers are read. */
export type LoadOptions = {
  store: TieredStore
  facts: ProfileFacts
  addresses: readonly string[]
  /** Newest block to count. */
  head: number
  /** Time of that block, Unix seconds. */
  time: number
}

/** Loads actions by address with one query. Wallets without actions are absent. */
export const loadActions = async (options: LoadOptions): Promise<Map<string, Actions>> => {
  const { store, facts, addresses, head, time } = options
  const rows = await store.query<ActionRow>(
    ACTIONS,
    {
      network: facts.network,
      addresses,
      head,
      contracts: [...facts.protocols.keys()],
      positions: facts.positions,
      known: [...new Set(['', ...facts.assets.keys(), ...facts.protocols.keys()])],
      nobody: NOBODY,
      recent_from: Math.max(0, time - RECENT),
    },
    { route: 'profile_actions' },
  )
  const actions = new Map<string, Actions>()
  for (const { address, ...row } of rows) {
    const seen = actions.get(address) ?? noActions()
    addActions(seen, row, facts)
    actions.set(address, seen)
  }
  return actions
}
