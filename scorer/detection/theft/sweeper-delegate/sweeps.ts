/**
 * EIP-7702 sweepers: many accounts delegate to one family of code, and incoming coins go to one sink within a block or two (semantics
 * 2.4; Wintermute on CrimeEnjoyor; arXiv 2512.12174). The sink is the thief; the accounts are its victims. Exchanges sweep deposit
 * addresses in the same way, but those were never active on their own (shared/organic-activity.ts). A firm may forward what its
 * tills take, which paid customers and suppliers before: the firm gave most of them their first coins.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { isContract } from '../../../ledger/features/wallet.ts'
import { groupedBy, inPieces, type LoadContext, walletsWhere } from '../../context.ts'
import { loadOrganicActivity, type OrganicActivity, organicallyActive } from '../../shared/organic-activity.ts'
import { isHub, loadFunded } from '../../shared/strangers/strangers.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'

const DELEGATING = readSql(import.meta.url, './delegating-counterparties.sql')
const GIVERS = readSql(import.meta.url, './delegated-payers.sql')
const FAMILY_SIZE = readSql(import.meta.url, './family-size.sql')
const MOVES = readSql(import.meta.url, './coin-moves.sql')

/** Minimum number of accounts that delegate to one family of code (semantics 2.4). */
export const MIN_AUTHORITIES = 20
/** Minimum number of these that were swept into the sink. Our choice, because the data may be incomplete. */
const MIN_SWEPT = 5
/** Upper bound of the median number of blocks between a receipt and its sweep (semantics 2.4). */
const MAX_BLOCKS = 2
/** Share of the amount since the last sweep that counts as all of it. */
const ALL = 0.95
/** Minimum share of the accounts' payments to the sink that were such sweeps. Customers of a shop pay arbitrary amounts. */
const SWEPT_SHARE = 0.8
/** Minimum total swept into a sink, US dollars. Receiving is no act, so framing a bystander must cost this much. Our choice. */
const LEAST_USD = 500
/** Minimum share of accounts with earlier activity of their own, and at least MIN_SWEPT. Deposit addresses have none. Our choice. */
const INDEPENDENT_SHARE = 0.25
/** A funder of more than this share of the active accounts set them up, unless it is an exchange. Our choice. */
const FOUNDER_SHARE = 0.5
/** Sinks with more counterparties are services. */
const MAX_GIVERS = 50_000
/** Accounts examined, and movements of each. */
const MAX_ACCOUNTS = 200
const MAX_MOVES = 40

/** Sweeps of one family of delegates into the sink. `delegates`, `victims` and `transactions` are samples. */
export type Sweep = {
  family: string
  delegates: string[]
  /** Numbers of accounts that delegate to the family, that gave to the sink, and that also had earlier activity of their own. */
  authorities: number
  swept: number
  independent: number
  /** Total swept into the sink, base units of the native coin. */
  taken: bigint
  /** Median number of blocks between a receipt and its sweep. */
  medianBlocks: number
  victims: string[]
  transactions: string[]
  /** Time of the first delegation, Unix seconds. */
  since: number
}

type Giver = {
  sink: string
  authority: string
  delegate: string
  family: string
  /** Number of authorizations for the delegate, by anyone. */
  delegators: number
  since: number
}
/** A row of the tables. `since`: parameter of the query; `amount` in base units. */
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

/** Sweeps of an account into the sink, with the blocks since the last receipt. `moves` are in order and begin at the delegation. */
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

/** Number of authorizations of the family: of the seen delegates, or of all with the same code if code is visible. */
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
  /** Number of authorizations of the family. */
  authorities: number
  /** First delegation of each account, Unix seconds. */
  group: ReadonlyMap<string, number>
  looked: string[]
  since: number
}

const familyOf = async (context: LoadContext, givers: readonly Giver[]): Promise<Family | undefined> => {
  const [first] = givers
  // An account may delegate to several of the family. Its activity before the first delegation counts.
  const group = new Map<string, number>()
  for (const { authority, since } of givers) group.set(authority, Math.min(since, group.get(authority) ?? since))
  if (!first || group.size < MIN_SWEPT) return undefined
  const authorities = await sizeOf(context, givers)
  if (authorities < MIN_AUTHORITIES) return undefined
  const looked = [...group.keys()].slice(0, MAX_ACCOUNTS)
  const since = Math.min(...givers.map((giver) => giver.since))
  return { sink: first.sink, first, givers, authorities, group, looked, since }
}

type Funded = Awaited<ReturnType<typeof loadFunded>>

/** The accounts that neither the sink nor a funder of most of them set up. */
const notFounded = (sink: string, accounts: ReadonlySet<string>, funded: Funded): Set<string> => {
  const counts = new Map<string, number>()
  for (const account of accounts) {
    const row = funded.get(account)
    if (row && row.funder !== '' && !isHub(row)) counts.set(row.funder, (counts.get(row.funder) ?? 0) + 1)
  }
  const isFounder = (funder: string) => funder === sink || (counts.get(funder) ?? 0) > FOUNDER_SHARE * accounts.size
  return new Set([...accounts].filter((account) => !isFounder(funded.get(account)?.funder ?? '')))
}

/** @param least base units of the native coin */
const judge = (
  family: Family,
  moves: ReadonlyMap<string, readonly Move[]>,
  activity: OrganicActivity,
  funded: Funded,
  least: number,
): Sweep | undefined => {
  const { sink, first, givers, authorities, group, looked, since } = family
  const after = new Map(
    looked.map((address) => [
      address,
      (moves.get(`${address} ${since}`) ?? []).filter(({ time }) => time >= (group.get(address) ?? 0)),
    ]),
  )
  const active = notFounded(sink, organicallyActive(activity, group, new Set([sink])), funded)
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

/** Loads sweeps by sink. Reads movements only for the rare wallets that many delegating accounts pay. */
export const loadSweeps = async (context: LoadContext): Promise<Map<string, Sweep[]>> => {
  const sinks = walletsWhere(
    context,
    (wallet) =>
      !isContract(wallet) &&
      wallet.native_in_count >= MIN_SWEPT &&
      wallet.in_counterparties >= MIN_SWEPT &&
      wallet.in_partners <= MAX_GIVERS &&
      // Sweeps may be signed by others or by the sink.
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
  const all = suspected.flatMap(({ group }) => [...group.keys()])
  const [rows, activity, funded] = await Promise.all([
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
    loadOrganicActivity(context, all),
    loadFunded(context, all),
  ])
  const moves = rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
  const movesOf = groupedBy(moves, ({ address, since }) => `${address} ${since}`)
  const least = usdThresholds(network, LEAST_USD).get('') ?? Number.POSITIVE_INFINITY
  const found = new Map<string, Sweep[]>()
  for (const family of suspected) {
    const sweep = judge(family, movesOf, activity, funded, least)
    if (sweep) found.set(family.sink, [...(found.get(family.sink) ?? []), sweep])
  }
  return found
}
