/**
 * Accounts that nothing links to each other or to the party they lost their assets to: they were active on their own, lived for
 * a while, and none was funded by the party, by another of them, or by a funder that they share.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { inPieces, type LoadContext } from '../../context.ts'
import { type OrganicActivity, organicallyActive } from '../organic-activity.ts'

const FUNDERS = readSql(import.meta.url, './account-funders.sql')

/** Accounts younger than this when it began do not count, s. */
const LIFE_S = 7 * 86_400
/** A funder of more parties than this is an exchange or a bridge: being funded by it links nobody. Our choice. */
const HUB_PAYEES = 500
/** Part of the accounts that one funder of so many parties may have paid first: more are the customers of a custodian. Our choices. */
const FUNDER_SHARE = 1 / 3
const FEW = 2
const CUSTODIAN_PAYEES = 20
/** Accounts first seen on one day count once: wallets made in series have one owner. */
const DAY_S = 86_400
/** Accounts that one exchange paid first within one hour count once, where each is evidence by itself. */
const SERIES_S = 3_600

/** When an affair with an account began, Unix seconds. */
export type Affair = { account: string; first_seen: number }
/** An account that nothing links to the others: what it paid in fees (base units), and the day (UTC) it was first seen. */
export type Stranger<A extends Affair> = A & { fees: number; firstSeenDay: number }
type Funded = { address: string; funder: string; fees: number; first_seen: number | null; payees: number }

/** Whether whoever sent an account its first coins pays so many that it links nobody. */
export const isHub = ({ payees }: Pick<Funded, 'payees'>): boolean => payees > HUB_PAYEES

/** Who funded some accounts, and when they were first seen. */
export const loadFunded = async (
  { store, network }: LoadContext,
  accounts: Iterable<string>,
): Promise<ReadonlyMap<string, Funded>> => {
  const rows = await inPieces(accounts, (addresses) =>
    store.query<Funded>(FUNDERS, { network, addresses }, { route: 'funders' }),
  )
  return new Map(rows.map((row) => [row.address, row]))
}

/** Affairs with accounts that lived for a while before, and were funded neither by the sink nor by another of them. */
const apart = <A extends Affair>(sink: string, affairs: readonly A[], known: ReadonlyMap<string, Funded>) => {
  const group = new Set(affairs.map(({ account }) => account))
  return affairs.flatMap((affair) => {
    const row = known.get(affair.account)
    if (!row || row.first_seen === null || affair.first_seen - row.first_seen < LIFE_S) return []
    const { funder, fees, first_seen, payees } = row
    if (funder === '' || funder === sink || group.has(funder)) return []
    const stranger: Stranger<A> = { ...affair, fees, firstSeenDay: Math.floor(first_seen / DAY_S) }
    return [{ stranger, firstSeen: first_seen, funder, payees, hub: isHub(row) }]
  })
}

const sinceWhen = (affairs: readonly Affair[]): Map<string, number> =>
  new Map(affairs.map(({ account, first_seen }) => [account, first_seen]))

/** Those apart that each show a life of their own, whatever the others did. */
const alive = <A extends Affair>(
  sink: string,
  affairs: readonly A[],
  activity: OrganicActivity,
  known: ReadonlyMap<string, Funded>,
) => {
  const parties = new Set([sink, ...affairs.map(({ account }) => account)])
  return apart(sink, affairs, known).filter(
    ({ stranger }) => organicallyActive(activity, sinceWhen([stranger]), parties).size > 0,
  )
}

/** Affairs with accounts that may be strangers, each by itself: what has to be left of those the sink added before groups are judged. */
export const eligible = <A extends Affair>(...of: Parameters<typeof alive<A>>): Stranger<A>[] =>
  alive(...of).map(({ stranger }) => stranger)

/**
 * Affairs with accounts that nothing links to each other or to the sink; none where too many have one funder. Accounts of the sink's
 * own that have no life, or share a funder with few customers, are left out before the others are compared: they would clear it.
 */
export const unrelated = <A extends Affair>(
  sink: string,
  affairs: readonly A[],
  activity: OrganicActivity,
  known: ReadonlyMap<string, Funded>,
): Stranger<A>[] => {
  const possible = alive(sink, affairs, activity, known)
  const funded = new Map<string, number>()
  for (const { funder } of possible) funded.set(funder, (funded.get(funder) ?? 0) + 1)
  const custodians = possible.flatMap(({ funder, payees }) =>
    payees >= CUSTODIAN_PAYEES ? [funded.get(funder) ?? 0] : [],
  )
  if (Math.max(0, ...custodians) > Math.max(FEW, FUNDER_SHARE * possible.length)) return []
  const single = possible.filter(({ funder, hub }) => hub || funded.get(funder) === 1)
  const parties = new Set([sink, ...affairs.map(({ account }) => account)])
  const group = sinceWhen(single.map(({ stranger }) => stranger))
  const lives = organicallyActive(activity, group, parties)
  return single.flatMap(({ stranger }) => (lives.has(stranger.account) ? [stranger] : []))
}

/**
 * The same, one for each funder, or for each hour of a funder that is a hub. Where each account is evidence against the sink,
 * accounts that the sink adds to them take none away: those of one maker are left out before lives are compared.
 */
export const independent = <A extends Affair>(
  sink: string,
  affairs: readonly A[],
  activity: OrganicActivity,
  known: ReadonlyMap<string, Funded>,
): Stranger<A>[] => {
  const parties = new Set([sink, ...affairs.map(({ account }) => account)])
  const makers = new Set<string>()
  const first = alive(sink, affairs, activity, known).flatMap(({ stranger, firstSeen, funder, hub }) => {
    const maker = hub ? `${funder} ${Math.floor(firstSeen / SERIES_S)}` : funder
    if (makers.has(maker)) return []
    makers.add(maker)
    return [stranger]
  })
  const lives = organicallyActive(activity, sinceWhen(first), parties)
  return first.filter(({ account }) => lives.has(account))
}

/** Days on which the accounts were first seen. */
export const firstSeenDays = (strangers: readonly { firstSeenDay: number }[]): number =>
  new Set(strangers.map(({ firstSeenDay }) => firstSeenDay)).size
