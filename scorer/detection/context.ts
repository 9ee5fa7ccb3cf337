/** What every detector is given, and how it picks the wallets it has to look at. */
import type { Network } from '../../schema/networks.ts'
import type { Contact } from '../ledger/contacts.ts'
import type { WalletFeatures } from '../ledger/features/wallet.ts'
import type { TieredStore, Tiers } from '../ledger/reading/tiers.ts'

/** A batch of wallets as detectors get it. Whatever they read besides is as of the same state of the tables. */
export type LoadContext = {
  /** Reads both tiers when anything is above the watermark, the final one alone otherwise. */
  store: TieredStore
  network: Network
  wallets: ReadonlyMap<string, WalletFeatures>
  /** Which of the wallets have hot rows: the others can be read from final tables, which is cheaper. */
  tiers: Tiers
  /** Time of the newest block, Unix seconds: the only "now" detectors know. */
  now: number
  /** First covered block where the index begins late, on its way from another query. */
  late: Promise<number | undefined>
  /** Direct dealings with flagged addresses, on their way from another query. */
  contacts: Promise<ReadonlyMap<string, Contact[]>>
  /** Runs a loader that several detectors need once for the batch, for whichever of them asks first. */
  once: <Loaded>(load: Loader<Loaded>) => Promise<Loaded>
}

type Loader<Loaded> = (context: LoadContext) => Promise<Loaded>

/** A context for a batch, with nothing loaded yet. */
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

/** Addresses of wallets that a condition holds for. */
export const walletsWhere = (context: LoadContext, holds: (wallet: WalletFeatures) => boolean): string[] =>
  [...context.wallets].filter(([, wallet]) => holds(wallet)).map(([address]) => address)

/** Items of one query at most: what it answers is held in memory. */
const AT_ONCE = 1_000

/** Answers to a list of any length, asked in pieces one after the other. */
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

/** Rows by a key, each group in the order of the rows. */
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

/** Contracts of one deployer that are looked into. Deployers of more (deposit forwarders, launchpads) are not: see `exceededLimits`. */
export const MAX_CONTRACTS = 5_000

/** What detectors left out about a wallet because it is too large. */
export const exceededLimits = (wallet: WalletFeatures): string[] =>
  wallet.contracts_created > MAX_CONTRACTS ? ['contracts: too many to look into'] : []

/** Pairs of an address and something about it, as lists by address in the order of the pairs. */
export const listsOf = <Item>(pairs: Iterable<readonly [string, Item]>): Map<string, Item[]> => {
  const lists = new Map<string, Item[]>()
  for (const [address, item] of pairs) {
    const list = lists.get(address)
    if (list) list.push(item)
    else lists.set(address, [item])
  }
  return lists
}
