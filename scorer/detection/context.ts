/** The input that every detector gets, and helpers to select wallets and to read in batches. */
import type { Network } from '../../schema/networks.ts'
import type { Contact } from '../ledger/contacts.ts'
import type { WalletFeatures } from '../ledger/features/wallet.ts'
import type { TieredStore, Tiers } from '../ledger/reading/tiers.ts'

/** A batch of wallets. All reads of a detector see the same state of the tables. */
export type LoadContext = {
  /** Reads the final and the hot tier when rows above the watermark exist, otherwise only the final tier. */
  store: TieredStore
  network: Network
  wallets: ReadonlyMap<string, WalletFeatures>
  /** Which wallets have hot rows. The others can be read from final tables alone, which is cheaper. */
  tiers: Tiers
  /** Time of the newest block, Unix seconds. Detectors use it as the current time. */
  now: number
  /** First covered block if the index begins after genesis. */
  late: Promise<number | undefined>
  /** Direct dealings with flagged addresses. */
  contacts: Promise<ReadonlyMap<string, Contact[]>>
  /** Runs a loader that several detectors share once per batch. */
  once: <Loaded>(load: Loader<Loaded>) => Promise<Loaded>
}

type Loader<Loaded> = (context: LoadContext) => Promise<Loaded>

/** Creates the context of a batch, with nothing loaded yet. */
export const createLoadContext = (batch: Omit<LoadContext, 'once'>): LoadContext => {
  const begun = new Map<unknown, Promise<unknown>>()
  const context: LoadContext = {
    ...batch,
    once: <Loaded>(load: Loader<Loaded>) => {
      const running = begun.get(load) ?? load(context)
      begun.set(load, running)
      return running as Promise<Loaded>
    },
  }
  return context
}

/** Addresses of the wallets that match a predicate. */
export const walletsWhere = (context: LoadContext, holds: (wallet: WalletFeatures) => boolean): string[] =>
  [...context.wallets].filter(([, wallet]) => holds(wallet)).map(([address]) => address)

/** Largest number of items per query: results are held in memory. */
const AT_ONCE = 1_000

/** Queries a list of any length in sequential batches. */
export const inPieces = async <Item, Row>(
  items: Iterable<Item>,
  ask: (piece: Item[]) => Promise<Row[]>,
  size = AT_ONCE,
): Promise<Row[]> => {
  const all = [...new Set(items)]
  const rows: Row[] = []
  for (let at = 0; at < all.length; at += size) rows.push(...(await ask(all.slice(at, at + size))))
  return rows
}

/** Groups rows by a key. Each group keeps the order of the rows. */
export const groupedBy = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> => {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}

/** Contracts examined per deployer. Deployers of more (deposit forwarders, launchpads) are skipped: see `exceededLimits`. */
export const MAX_CONTRACTS = 5_000

/** What detectors skipped because the wallet is too large. */
export const exceededLimits = (wallet: WalletFeatures): string[] =>
  wallet.contracts_created > MAX_CONTRACTS ? ['contracts: too many to analyse'] : []

/** Groups `[address, item]` pairs into lists by address, in the order of the pairs. */
export const listsOf = <Item>(pairs: Iterable<readonly [string, Item]>): Map<string, Item[]> => {
  const lists = new Map<string, Item[]>()
  for (const [address, item] of pairs) {
    const list = lists.get(address)
    if (list) list.push(item)
    else lists.set(address, [item])
  }
  return lists
}
