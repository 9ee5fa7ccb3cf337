/**
 * EIP-7702 sweepers: many accounts delegate to one family of code, and whatever comes in goes to one sink within a block or two
 * (semantics 2.4; Wintermute on CrimeEnjoyor; arXiv 2512.12174). The sink is the thief; the accounts are its victims. Exchanges
 * sweep deposit addresses in the same way, but those were never active on their own (shared/organic-activity.ts).
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { isContract } from '../../../ledger/features/wallet.ts'
import { groupedBy, inPieces, type LoadContext, walletsWhere } from '../../context.ts'
import { loadOrganicActivity, type OrganicActivity, organicallyActive } from '../../shared/organic-activity.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'

const DELEGATING = readSql(import.meta.url, './delegating-counterparties.sql')
const GIVERS = readSql(import.meta.url, './delegated-payers.sql')
const FAMILY_SIZE = readSql(import.meta.url, './family-size.sql')
const MOVES = readSql(import.meta.url, './coin-moves.sql')

/** Accounts that delegate to one family of code (semantics 2.4). */
export const MIN_AUTHORITIES = 20
/** Of these, accounts swept into the sink: our choice, what the data holds may be a part. */
const MIN_SWEPT = 5
/** Median from something coming in to all of it being gone is less than this, blocks (semantics 2.4). */
const MAX_BLOCKS = 2
/** Part of what came in since the last sweep that counts as all of it. */
const ALL = 0.95
/** Part of what the accounts gave to the sink that was swept like this; customers of a shop pay amounts. */
const SWEPT_SHARE = 0.8
/**
 * Least that was swept into a sink, US dollars: being paid is no act, and framing a bystander has to cost as much. Our choice.
 */
const LEAST_USD = 500
/** Part of the accounts that had been active on their own; MIN_SWEPT at least. Our choice; deposit addresses never are. */
const INDEPENDENT_SHARE = 0.25
/** Sinks with more counterparties than this are services. */
const MAX_GIVERS = 50_000
/** Accounts looked at, and movements of each. */
const MAX_ACCOUNTS = 200
const MAX_MOVES = 40

/** What one family of delegates swept into the sink. `delegates`, `victims` and `transactions` are some of them. */
export type Sweep = {
  family: string
  delegates: string[]
  /** Accounts that delegate to the family, those of them that gave to the sink, and those of these that had been active on their own. */
  authorities: number
  swept: number
  independent: number
  /** What the accounts lost to the sink like this, base units of the native coin. */
  taken: bigint
  /** Blocks from coins coming in to their being gone, median. */
  medianBlocks: number
  victims: string[]
  transactions: string[]
  /** Unix seconds of the first delegation. */
  since: number
}

type Giver = {
  sink: string
  authority: string
  delegate: string
  family: string
  /** Authorizations given to the delegate, by anyone. */
  delegators: number
  since: number
}
/** As the tables answer it: since when the account was asked for, amount in base units. */
type MoveRow = Omit<Move, 'amount'> & { since: number; amount: string }
type Move = {
  address: string
  direction: 1 | -1
  counterparty: string
  amount: bigint
  block_number: number
  tx_hash: string
  time: number
}

/** Sweeps of an account into the sink: blocks since coins last came in. Movements are in order, since the delegation. */
export const sweptOf = (
  moves: readonly Move[],
  sink: string,
): { blocks: number; amount: bigint; tx_hash: string }[] => {
  const sweeps: { blocks: number; amount: bigint; tx_hash: string }[] = []
  let held = 0n
  let came: number | undefined
  for (const { direction, counterparty, amount, block_number, tx_hash } of moves) {
    if (direction === 1) {
      held += amount
      came = block_number
      continue
    }
    if (came !== undefined && counterparty === sink && Number(amount) >= ALL * Number(held)) {
      sweeps.push({ blocks: block_number - came, amount, tx_hash })
    }
    held = held > amount ? held - amount : 0n
  }
  return sweeps
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.POSITIVE_INFINITY

/** Authorizations of the family: of the delegates seen, or of all with the same code where that is visible. */
const sizeOf = async ({ store, network }: LoadContext, givers: readonly Giver[]): Promise<number> => {
  const seen = new Map(givers.map((giver) => [giver.delegate, giver.delegators]))
  const own = [...seen.values()].reduce((sum, count) => sum + count, 0)
  if (own >= MIN_AUTHORITIES) return own
  const [row] = await store.query<{ authorities: number }>(
    FAMILY_SIZE,
    { network, families: [...new Set(givers.map(({ family }) => family))] },
    { route: 'family_size' },
  )
  return Math.max(own, row?.authorities ?? 0)
}

/** Accounts of one family of code that gave to one sink. */
type Family = {
  sink: string
  first: Giver
  givers: readonly Giver[]
  /** Authorizations of the family. */
  authorities: number
  /** When each account came under suspicion. */
  group: ReadonlyMap<string, number>
  looked: string[]
  since: number
}

const familyOf = async (context: LoadContext, givers: readonly Giver[]): Promise<Family | undefined> => {
  const [first] = givers
  // Accounts may delegate to several of a family: what they did before the first counts.
  const group = new Map<string, number>()
  for (const { authority, since } of givers) group.set(authority, Math.min(since, group.get(authority) ?? since))
  if (!first || group.size < MIN_SWEPT) return undefined
  const authorities = await sizeOf(context, givers)
  if (authorities < MIN_AUTHORITIES) return undefined
  const looked = [...group.keys()].slice(0, MAX_ACCOUNTS)
  const since = Math.min(...givers.map((giver) => giver.since))
  return { sink: first.sink, first, givers, authorities, group, looked, since }
}

/** @param least base units of the native coin */
const judge = (
  family: Family,
  moves: ReadonlyMap<string, readonly Move[]>,
  activity: OrganicActivity,
  least: number,
): Sweep | undefined => {
  const { sink, first, givers, authorities, group, looked, since } = family
  const after = new Map(
    looked.map((address) => [
      address,
      (moves.get(`${address} ${since}`) ?? []).filter(({ time }) => time >= (group.get(address) ?? 0)),
    ]),
  )
  const active = organicallyActive(activity, group, new Set([sink]))
  const given = [...after.values()]
    .flat()
    .filter(({ direction, counterparty }) => direction === -1 && counterparty === sink)
  const sweeps = [...after.values()].map((list) => sweptOf(list, sink))
  const all = sweeps.flat()
  const total = given.reduce((sum, { amount }) => sum + amount, 0n)
  const taken = all.reduce((sum, { amount }) => sum + amount, 0n)
  const medianBlocks = median(all.map(({ blocks }) => blocks))
  if (sweeps.filter((list) => list.length > 0).length < MIN_SWEPT) return undefined
  if (medianBlocks >= MAX_BLOCKS || Number(taken) < SWEPT_SHARE * Number(total) || taken < least) return undefined
  if (active.size < MIN_SWEPT || active.size < INDEPENDENT_SHARE * group.size) return undefined
  return {
    family: first.family,
    delegates: [...new Set(givers.map(({ delegate }) => delegate))].slice(0, 5),
    authorities,
    swept: group.size,
    independent: active.size,
    taken,
    medianBlocks,
    victims: [...active].sort().slice(0, 10),
    transactions: all.slice(0, 10).map(({ tx_hash }) => tx_hash),
    since,
  }
}

/** Sweeps by sink. Movements are read of sinks alone that many delegating accounts pay, which hardly any wallet is. */
export const loadSweeps = async (context: LoadContext): Promise<Map<string, Sweep[]>> => {
  const sinks = walletsWhere(
    context,
    (wallet) =>
      !isContract(wallet) &&
      wallet.native_in_count >= MIN_SWEPT &&
      wallet.in_counterparties >= MIN_SWEPT &&
      wallet.in_partners <= MAX_GIVERS &&
      // Swept by others' transactions, or by its own.
      (wallet.pulled_in >= MIN_SWEPT || (wallet.sent >= MIN_AUTHORITIES && wallet.native_in_count >= MIN_AUTHORITIES)),
  )
  if (sinks.length === 0) return new Map()
  const { store, network } = context
  const asked = { network, addresses: sinks }
  const delegating = await store.query<{ authority: string }>(DELEGATING, asked, { route: 'delegating' })
  if (delegating.length < MIN_SWEPT) return new Map()
  const authorities = delegating.map((row) => row.authority)
  const given = await store.query<Giver>(GIVERS, { ...asked, authorities }, { route: 'delegated_givers' })
  const families = new Map<string, Giver[]>()
  for (const row of given) {
    const key = `${row.sink} ${row.family}`
    families.set(key, [...(families.get(key) ?? []), row])
  }
  const suspected = (await Promise.all([...families.values()].map((givers) => familyOf(context, givers)))).flatMap(
    (family) => family ?? [],
  )
  const accounts = suspected.flatMap(({ looked, since }) => looked.map((account) => ({ account, since })))
  const [rows, activity] = await Promise.all([
    inPieces(accounts, (some) =>
      store.query<MoveRow>(
        MOVES,
        {
          network,
          accounts: some.map(({ account }) => account),
          since: some.map(({ since }) => since),
          limit: MAX_MOVES,
        },
        { route: 'sweeper_moves' },
      ),
    ),
    loadOrganicActivity(
      context,
      suspected.flatMap(({ group }) => [...group.keys()]),
    ),
  ])
  const moves = rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
  const movesOf = groupedBy(moves, ({ address, since }) => `${address} ${since}`)
  const least = usdThresholds(network, LEAST_USD).get('') ?? Number.POSITIVE_INFINITY
  const found = new Map<string, Sweep[]>()
  for (const family of suspected) {
    const sweep = judge(family, movesOf, activity, least)
    if (sweep) found.set(family.sink, [...(found.get(family.sink) ?? []), sweep])
  }
  return found
}
